import { z } from 'zod';
import { recordChange } from '../../../db/audit.ts';
import { askStreamToEnd, listStreams } from '../../../db/webhooks/open-streams.ts';
import { notFound } from '../../../domain/error.ts';
import { EventStreamId, KeyId } from '../../../domain/ids.ts';
import { EventStreamView } from '../../../domain/webhooks/stream/open-stream.ts';
import { defineRoute } from '../../deps.ts';
import { credentialsSeenBy } from '../../route/maker-seen.ts';
import { NoContent } from '../../wire/answer.ts';
import { NewestCursor } from '../../wire/newest-cursor.ts';
import { HasMore, Limit, NextCursor, nextPage, pageOf } from '../../wire/page.ts';

export const openStreamRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/events/streams',
    auth: 'client',
    scope: null,
    operationId: 'eventStreams.list',
    summary: 'List open event streams',
    description:
      'Returns those that are open at any process, the newest first: with a key of the dashboard that has the scope ' +
      '`keys`, all of the agency, or those that show the tenant that it names; with any other key or login, its own. ' +
      'A stream of a process that was killed is listed for up to a minute more.',
    query: z.object({
      keyId: KeyId.optional().meta({ description: 'Only streams of this key, and of links that it created.' }),
      limit: Limit,
      cursor: nextPage(NewestCursor),
    }),
    reply: z.object({
      streams: z.array(EventStreamView).meta({ description: 'The streams on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ caller, query: { keyId = null, limit, cursor: after = null } }, { database }) {
      const asked = { keyId, after, limit: limit + 1 };
      const found = await database.read((queries) => listStreams(queries, credentialsSeenBy(caller), asked));
      const { rows, ...page } = pageOf(found, limit, ({ id, openedAt }) =>
        NewestCursor.encode({ id, createdAt: openedAt }),
      );
      const streams = rows.map(({ openedAt, ...stream }) => ({ ...stream, openedAt: openedAt.toISOString() }));
      return { streams, ...page };
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/events/streams/:id',
    auth: 'client',
    scope: null,
    operationId: 'eventStreams.end',
    summary: 'End an event stream',
    description:
      'The stream ends within a second, with a frame `end` whose reason is `ended`. Its key or login still works, and ' +
      'clients of server-sent events reconnect by themselves: revoke the key or end the login to keep a reader out. A ' +
      'key of the dashboard with the scope `keys` ends any stream of the agency; every other key and login ends its own.',
    params: z.object({ id: EventStreamId }),
    status: 204,
    reply: NoContent,
    errors: ['not_found'],
    async handle({ caller, params: { id } }, { database }) {
      const seen = credentialsSeenBy(caller);
      const isAsked = await database.transaction(async (tx) => {
        const asked = await askStreamToEnd(tx, seen, id);
        if (asked === undefined) return false;
        const of = { agencyId: seen.agencyId, tenantId: asked.tenantId };
        await recordChange(tx, { of, object: 'event_stream', objectId: id, action: 'revoked' }, caller);
        return true;
      });
      if (!isAsked) throw notFound('stream');
      return undefined;
    },
  }),
];
