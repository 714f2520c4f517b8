import { z } from 'zod';
import { invalid } from '../../../domain/error.ts';
import { ExternalId } from '../../../domain/scope.ts';
import { EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import { ConversationId, SessionId } from '../../../domain/ids.ts';
import { END, READY } from '../../../domain/webhooks/stream/frames.ts';
import { defineRoute } from '../../deps.ts';
import { Streamed } from '../../wire/answer.ts';
import { Moment } from '../../wire/page.ts';
import { filterOf } from '../event-filter.ts';
import { After, PullCursor } from '../pull-cursor.ts';
import { STREAM_EXAMPLE } from './example.ts';

const LastEventId = PullCursor.optional();

export const eventStreamRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/events/stream',
    auth: 'client',
    cost: 3,
    scope: 'read',
    operationId: 'webhookEvents.stream',
    summary: 'Hear of events as they happen',
    description:
      'An answer of server-sent events that goes on: a frame for each event, without its body, in the order and as completely as ' +
      'pulls give them. The `id` of a frame is the cursor of a pull, so read the bodies by `GET /api/v1/webhooks/events?after=` ' +
      'from the cursor before, or one by `GET /api/v1/webhooks/events/{id}`. The frame `ready` says that all that was there ' +
      'before has come. A comment comes every 15 seconds; a line `id` beside it moves your cursor.\n\n' +
      'The stream begins with what happens now, or after `after`, or after the header `Last-Event-ID`, which counts before ' +
      '`after`: clients of server-sent events send it by themselves when they come back. It ends with a frame `end` that says ' +
      'why when its key ends or the engine restarts, and without one when you have taken nothing for 15 to 30 seconds. 410 ' +
      'means of a cursor what it means for a pull. Streams count among the 200 requests of an agency that may wait.',
    headers: z.object({
      'Last-Event-ID': z
        .string()
        .optional()
        .meta({
          description: 'The `id` of the last frame that you have had.',
          examples: ['NzU0NyA0MTE'],
        }),
    }),
    query: z.object({
      type: z.enum(EVENT_TYPES).optional().meta({ description: 'Only events of this type.' }),
      tenantId: ExternalId.optional().meta({ description: 'Only those of one tenant.' }),
      sessionId: SessionId.optional().meta({ description: 'Only those of one session.' }),
      conversationId: ConversationId.optional().meta({
        description: 'Only those of one conversation: of the seven days before now, unless `since` says from when.',
      }),
      since: Moment.optional().meta({ description: 'Only from this time on, with any offset.' }),
      after: After.optional().meta({
        description:
          '`start` for all that is kept, an `id` of a frame or the `nextCursor` of a pull; from now on when left out.',
      }),
      tests: z.enum(['true', 'false']).default('false').meta({
        description: 'Also the events of `test`, which went to one endpoint.',
      }),
    }),
    reply: z.string().meta({ description: 'Server-sent events. `x-frames` has the schemas of their data.' }),
    stream: {
      frames: { [READY]: 'StreamReady', '*': 'StreamedEvent', [END]: 'StreamEnd' },
      example: STREAM_EXAMPLE,
    },
    errors: ['cursor_expired', 'cursor_invalid', 'too_many_waiting'],
    handle({ caller, query, request }, { database, eventStreams }) {
      const asked = {
        reach: caller.reach,
        filter: { ...filterOf(query, database.clock.now()), tests: query.tests === 'true' },
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
