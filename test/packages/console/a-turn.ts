import type { Turn } from '../../../packages/typescript/src/index.ts';

/** A turn of the agent as the API shows it: silent, unless said otherwise. */
export const aTurn = (of: Partial<Turn>): Turn => ({
  id: 'trn_1',
  conversationId: 'cnv_1',
  outcome: 'silence',
  silence: null,
  retryAt: null,
  handoffReason: null,
  inboundMessageIds: [],
  memoryIds: [],
  messageIds: [],
  model: null,
  modelCalls: [],
  inputTokens: null,
  outputTokens: null,
  costMicros: null,
  restarts: 0,
  outputNotes: [],
  receivedAt: null,
  begunAt: '2026-03-02T09:30:00.000Z',
  endedAt: null,
  ...of,
});
