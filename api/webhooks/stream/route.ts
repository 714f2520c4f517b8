import { z } from 'zod';
import { invalid } from '../../../domain/error.ts';
import { ExternalId } from '../../../domain/scope.ts';
import { EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import { ConversationId, SessionId } from '../../../domain/ids.ts';
import { END, HINT, READY, writeComment, writeFrame } from '../../../domain/webhooks/stream/frames.ts';
import { defineRoute } from '../../deps.ts';
import { credentialOf } from '../../route/maker-seen.ts';
import { Streamed } from '../../wire/answer.ts';
import { Moment } from '../../wire/page.ts';
import { filterOf } from '../event-filter.ts';
import { After, PullCursor } from '../pull-cursor.ts';

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
const STREAM_EXAMPLE = [
  writeFrame({ id: 'NzU0NyA', event: READY, data: { cursor: 'NzU0NyA' }, retry: 1_000 }),
  writeFrame({ id: 'NzU0NyA0MTE', event: EVENT.type, data: EVENT }),
  writeComment('NzU1MCA'),
  writeFrame({ event: END, data: { reason: 'stopping' }, retry: 3_217 }),
].join('');

const LastEventId = PullCursor.optional();

export const eventStreamRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/events/stream',
    auth: 'client',
    cost: 3,
    scope: 'read',
    operationId: 'webhookEvents.stream',
    summary: 'Stream events as they happen',
    description:
      "Streams server-sent events: one frame for each event, without its body. A frame's `id` is a pull " +
      'cursor: read the body with `GET /api/v1/webhooks/events`.\n\nThe stream is as complete and ordered as ' +
      'pulls. Pass the cursor before as `after`, or read one event by its id. The frame `ready` means that ' +
      'all earlier events have been sent. A comment is sent every 15 seconds; an `id` line next to it ' +
      'moves your cursor.\n\nThe stream begins now, after `after`, or after the header `Last-Event-ID`, ' +
      'which takes precedence. Clients of server-sent events send this header when they reconnect. The ' +
      'stream ends with a frame `end` and a reason: its key ended, the engine restarts, or `DELETE ' +
      '/api/v1/events/streams/{id}` ended it. It ends without a frame if you have read nothing for 15 to ' +
      '30 seconds. 410 has the same meaning for a cursor as for a pull. Streams count towards the 200 ' +
      'requests of an agency that can wait.',
    headers: z.object({
      'Last-Event-ID': z
        .string()
        .optional()
        .meta({
          description: 'The `id` of the last frame that you received.',
          examples: ['NzU0NyA0MTE'],
        }),
    }),
    query: z.object({
      type: z.enum(EVENT_TYPES).optional().meta({ description: 'Only events of this type.' }),
      tenantId: ExternalId.optional().meta({ description: 'Only those of this tenant.' }),
      sessionId: SessionId.optional().meta({ description: 'Only those of this session.' }),
      conversationId: ConversationId.optional().meta({
        description:
          'Only those of this conversation. Covers the seven days before now, unless `since` gives the start.',
      }),
      since: Moment.optional().meta({ description: 'Only from this time on, with any UTC offset.' }),
      after: After.optional().meta({
        description:
          '`start` for all events that are kept, the `id` of a frame, or the `nextCursor` of a pull. If omitted, the stream begins now.',
      }),
      tests: z.enum(['true', 'false']).default('false').meta({
        description: 'Also send the events of `test`, which went to one endpoint only.',
      }),
      hints: z
        .enum(['true', 'false'])
        .default('false')
        .meta({
          description:
            'Also send the frame `hint` for changes that only the team sees: notes, and who has a conversation open. ' +
            'Hints have no `id` and are not repeated.',
        }),
    }),
    reply: z.string().meta({ description: 'Server-sent events. `x-frames` contains the schemas of their data.' }),
    stream: {
      frames: { [READY]: 'StreamReady', [HINT]: 'StreamHint', '*': 'StreamedEvent', [END]: 'StreamEnd' },
      example: STREAM_EXAMPLE,
    },
    errors: ['cursor_expired', 'cursor_invalid', 'too_many_waiting'],
    handle({ caller, query, request }, { database, eventStreams }) {
      const asked = {
        reach: caller.reach,
        reader: credentialOf(caller),
        filter: { ...filterOf(query, database.clock.now()), tests: query.tests === 'true' },
        hints: query.hints === 'true',
        after: lastEventId(request.header('last-event-id')) ?? query.after,
      };
      return new Streamed((stream) => eventStreams.serve(asked, { ...stream, signal: request.signal }));
    },
  }),
];

function lastEventId(given: string | undefined): z.output<typeof LastEventId> {
  const read = LastEventId.safeParse(given);
  if (!read.success) throw invalid({ pointer: 'header/Last-Event-ID', message: 'is not the id of a frame' });
  return read.data;
}
