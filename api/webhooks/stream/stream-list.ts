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
      "Returns open streams, newest first. A dashboard's key with the scope `keys` sees the agency's " +
      "streams; any other key sees its own.\n\nA killed process's stream stays listed for up to a minute. If " +
      'the request names a tenant, only streams that show it are listed.',
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
      'Ends the stream within a second, with a frame `end` whose reason is `ended`. Revoke the key or end ' +
      'the login to prevent a reconnect.\n\nClients of server-sent events reconnect by themselves. A key of ' +
      'the dashboard with the scope `keys` ends any stream of the agency; every other key and login ends ' +
      'its own.',
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
