import { END, READY, writeComment, writeFrame } from '../../../domain/webhooks/stream/frames.ts';

const EVENT = {
  id: 'evt_019a8f3e-7c12-71a7-a062-9ebf30516283',
  type: 'message',
  tenantId: 'shop-berlin',
  sessionId: 'ses_019a8f30-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  conversationId: 'cnv_019a8f31-2b3c-7d4e-9f50-6b7c8d9e0f1a',
  sequence: 42,
  createdAt: '2026-03-02T09:30:00.000Z',
  test: false,
};

/** A stream from its beginning to its end, as the document shows it. */
export const STREAM_EXAMPLE = [
  writeFrame({ id: 'NzU0NyA', event: READY, data: { cursor: 'NzU0NyA' }, retry: 1_000 }),
  writeFrame({ id: 'NzU0NyA0MTE', event: EVENT.type, data: EVENT }),
  writeComment('NzU1MCA'),
  writeFrame({ event: END, data: { reason: 'stopping' }, retry: 3_217 }),
].join('');
