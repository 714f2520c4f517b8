import { z } from 'zod';
import { listProxiedRequests } from '../../db/request-log.ts';
import type { RequestPlace } from '../../db/request-log.ts';
import { SessionId } from '../../domain/ids.ts';
import { defineRoute } from '../deps.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';

const Cursor = cursorOf<RequestPlace>({
  read(text) {
    const [at = '', requestId = ''] = text.split(/ (.*)/s);
    const moment = new Date(at);
    return Number.isNaN(moment.getTime()) || requestId === '' ? undefined : { at: moment, requestId };
  },
  write: ({ at, requestId }) => `${at.toISOString()} ${requestId}`,
});

const ProxiedRequestView = z
  .object({
    at: z.iso.datetime().meta({ description: 'When its response ended.' }),
    requestId: z
      .string()
      .meta({ description: 'The id of the request, as in the X-Request-Id header of its response.' }),
    keyId: z.string().meta({ description: "The key of the request; `master` for the operator's key." }),
    tenantId: z.string().meta({ description: 'The tenant whose session it was for.' }),
    sessionId: z.string().meta({ description: 'The session that it was for.' }),
    method: z.string().meta({ description: 'The HTTP method.' }),
    route: z
      .string()
      .meta({ description: 'The route with the names of its parameters, because the path may contain phone numbers.' }),
    status: z.int().meta({ description: 'The HTTP status of the response.' }),
    durationMs: z.int().meta({ description: 'The time from the complete request to the response.' }),
    requestBytes: z.int().meta({ description: 'The size of its body.' }),
    responseBytes: z.int().meta({ description: 'How many bytes of the response were written, including its head.' }),
  })
  .meta({
    id: 'PassedRequest',
    description: 'A request that was passed on to a route of the messaging backend, without its body.',
    examples: [
      {
        at: '2026-11-22T10:00:00.000Z',
        requestId: 'req_5b0c7c1e-0c64-4b8e-9b1c-6d5f3a2e1f00',
        keyId: 'key_019b76da',
        tenantId: 'shop',
        sessionId: 'ses_019b76da-a800-7c3e-9d52-5f0c1b7a64e1',
        method: 'GET',
        route: '/api/{session}/chats',
        status: 200,
        durationMs: 12,
        requestBytes: 0,
        responseBytes: 1840,
      },
    ],
  });

export const passedRequestRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/passthrough/requests',
    auth: 'client',
    scope: 'read',
    operationId: 'passthroughRequests.list',
    summary: 'List passthrough requests',
    description:
      'Returns the requests that were passed on to routes of the backend, the newest first, for 30 days. ' +
      'Bodies, paths and the values of queries are not kept.\n\nA request appears in the list about a second ' +
      'after its response.',
    query: z.object({
      sessionId: SessionId.optional().meta({ description: 'Only requests for one session.' }),
      limit: Limit,
      cursor: nextPage(Cursor),
    }),
    reply: z.object({
      requests: z.array(ProxiedRequestView).meta({ description: 'The requests of this page, the newest first.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ caller, query }, { database }) {
      const { sessionId = null, cursor: before = null, limit } = query;
      const found = await database.read((queries) =>
        listProxiedRequests(queries, caller.reach, { sessionId, before, limit: limit + 1 }),
      );
      const { rows, ...page } = pageOf(found, limit, (last) => Cursor.encode(last));
      return { requests: rows.map(({ at, ...row }) => ({ at: at.toISOString(), ...row })), ...page };
    },
  }),
];
