import { z } from 'zod';
import { cancelPending } from '../../db/webhooks/endpoint-change.ts';
import type { Actor } from '../../db/webhooks/endpoint-history.ts';
import { findEndpoint, listSessionEndpoints } from '../../db/webhooks/endpoint-view.ts';
import { newWebhookSecret } from '../../db/webhooks/endpoint.ts';
import { deleteSessionEndpoint, putSessionEndpoint } from '../../db/webhooks/session-endpoints.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { EndpointId } from '../../domain/ids.ts';
import { Target } from '../../domain/scope.ts';
import { EndpointView, warningOf } from '../../domain/webhooks/endpoint.ts';
import { DEFAULT_EVENTS } from '../../domain/webhooks/event.ts';
import { PutSessionEndpoint, SessionEndpointPut } from '../../domain/webhooks/session-endpoint.ts';
import { defineRoute } from '../deps.ts';
import type { KeyHolder } from '../route/caller.ts';
import { requireSession } from '../sessions/session-in-scope.ts';
import { SessionPath } from '../sessions/session-path.ts';
import { Answer, NoContent } from '../wire/answer.ts';
import { toEndpointView } from './view.ts';

const FULL = {
  too_many: 'A session can have 10 endpoints: delete one that is not needed.',
  too_many_deleted:
    'Too many endpoints of this session were created and deleted today: change an existing one instead.',
} as const;

const byKey = ({ keyId, actor = 'api' }: Pick<KeyHolder, 'keyId' | 'actor'>): Actor => ({ actor, reason: null, keyId });

export const sessionEndpointRoutes = [
  defineRoute({
    method: 'PUT',
    path: '/api/v1/sessions/:id/webhooks',
    auth: 'tenant',
    scope: 'webhooks',
    operationId: 'sessionWebhooks.put',
    summary: "Post a session's events to a URL",
    description:
      "For tools that have a session's key; the key needs the scope `webhooks`. The endpoint gets the " +
      "session's events from now on.\n\nEach URL is one endpoint. A repeated request changes its `events` " +
      'and its secret. Without a secret in the request, the engine makes one. The old secret also signs ' +
      'for one more day. If the endpoint was disabled because it failed, it is resumed. A session can have ' +
      "up to 10. The dashboard's key sees and manages them as its own at `/api/v1/webhooks/endpoints`.",
    params: SessionPath,
    body: PutSessionEndpoint,
    reply: SessionEndpointPut,
    statuses: { 201: 'The URL is new: the endpoint was created.' },
    errors: ['not_found', 'endpoint_limit'],
    async handle({ scope, caller, params, body }, { database, refusesPost }) {
      const { url, description, secret = newWebhookSecret(), events = [...DEFAULT_EVENTS] } = body;
      return database.transaction(async (tx) => {
        const session = await requireSession(tx, scope, params.id);
        const wanted = { url, description, secret, events };
        const put = await putSessionEndpoint(tx, session, wanted, byKey(caller));
        if (put.outcome === 'refused') throw new EngineError('endpoint_limit', FULL[put.why]);
        const endpoint = await findEndpoint(tx, session.agencyId, put.id);
        if (!endpoint) throw new Error('The endpoint that was just put is not there.');
        const warning = warningOf(refusesPost(endpoint.url));
        const view = { ...toEndpointView(tx.secrets, endpoint), warning, secret };
        return put.outcome === 'made' ? new Answer(201, view, {}) : view;
      });
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:id/webhooks',
    auth: 'tenant',
    scope: 'webhooks',
    operationId: 'sessionWebhooks.list',
    summary: 'List the endpoints of a session',
    description:
      "Returns only the session's own endpoints, the oldest first, up to 10. Endpoints of its agency are not listed.",
    params: SessionPath,
    reply: z.object({ endpoints: z.array(EndpointView).meta({ description: 'The endpoints of the session.' }) }),
    errors: ['not_found'],
    async handle({ scope, params }, { database }) {
      const endpoints = await database.read(async (queries) => {
        const { id, agencyId } = await requireSession(queries, scope, params.id);
        return listSessionEndpoints(queries, agencyId, id);
      });
      return { endpoints: endpoints.map((each) => toEndpointView(database.secrets, each)) };
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/sessions/:id/webhooks/:endpointId',
    auth: 'tenant',
    scope: 'webhooks',
    operationId: 'sessionWebhooks.delete',
    summary: "Stop posting a session's events to a URL",
    description: 'Cancels the deliveries that wait for the endpoint; its deliveries and attempts stay in the lists.',
    params: SessionPath.extend({ endpointId: EndpointId }),
    query: z.object(Target),
    status: 204,
    reply: NoContent,
    errors: ['not_found'],
    async handle({ scope, caller, params }, { database }) {
      await database.transaction(async (tx) => {
        const session = await requireSession(tx, scope, params.id);
        const isDeleted = await deleteSessionEndpoint(tx, session, params.endpointId, byKey(caller));
        if (!isDeleted) throw notFound('endpoint');
      });
      await cancelPending(database, params.endpointId);
      return undefined;
    },
  }),
];
