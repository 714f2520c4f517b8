import { z } from 'zod';
import { countOwnEndpoints, insertEndpoint, newWebhookSecret } from '../../db/webhooks/endpoint.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { cancelPending, deleteEndpoint, lockEndpoint, updateEndpoint } from '../../db/webhooks/endpoint-change.ts';
import { insertEndpointHistory, listEndpointHistory } from '../../db/webhooks/endpoint-history.ts';
import { mergeHeaders } from '../../db/webhooks/endpoint-secrets.ts';
import { findEndpoint, listEndpoints } from '../../db/webhooks/endpoint-view.ts';
import type { EndpointRow } from '../../db/webhooks/endpoint-view.ts';
import {
  CreateEndpoint,
  EndpointChanged,
  EndpointCreated,
  EndpointDetail,
  EndpointView,
  MAX_HEADERS,
  UpdateEndpoint,
  warningOf,
} from '../../domain/webhooks/endpoint.ts';
import { EngineError, invalid, notFound } from '../../domain/error.ts';
import { DEFAULT_EVENTS } from '../../domain/webhooks/event.ts';
import { ExternalId } from '../../domain/scope.ts';
import { NoContent } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { toEndpointView } from './view.ts';
import { EndpointId } from '../../domain/ids.ts';

/** Bounds an agency's endpoints. Endpoints of tenants' settings do not count, because each tenant has at most one. */
const MAX_ENDPOINTS = 100;
const MAX_DELETED_A_DAY = 500;

const EndpointPath = z.object({ id: EndpointId });

const Cursor = cursorOf<string>({
  read: (text) => (text.startsWith('whe_') ? text : undefined),
  write: (id) => id,
});

export const webhookEndpointRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookEndpoints.create',
    summary: 'Create a webhook endpoint',
    description:
      'The endpoint gets events from now on; `replay` sends earlier ones. Endpoints with equal URLs get ' +
      'each event once.\n\nAn agency can have up to 100 endpoints.',
    body: CreateEndpoint,
    status: 201,
    reply: EndpointCreated,
    idempotent: true,
    secrets: ['secret'],
    errors: ['endpoint_limit'],
    async handle({ caller, body, commit }, { refusesPost }) {
      const { agencyId: _agency, secret = newWebhookSecret(), events = [...DEFAULT_EVENTS], ...rest } = body;
      const { agencyId, keyId } = caller;
      return commit.transaction(async (tx) => {
        const { live, deleted } = await countOwnEndpoints(tx, agencyId);
        if (deleted >= MAX_DELETED_A_DAY) {
          throw new EngineError(
            'endpoint_limit',
            'Too many endpoints were created and deleted today: change an existing one instead.',
          );
        }
        if (live >= MAX_ENDPOINTS) {
          throw new EngineError(
            'endpoint_limit',
            `An agency can have ${MAX_ENDPOINTS} endpoints: delete one that is not needed.`,
          );
        }
        const { tenantIds = null, ...options } = rest;
        const id = await insertEndpoint(tx, { agencyId, source: 'api', tenantIds, secret, events, ...options });
        await insertEndpointHistory(tx, id, {
          action: 'create',
          by: { actor: caller.actor ?? 'api', reason: null, keyId },
        });
        const endpoint = await findEndpoint(tx, agencyId, id);
        if (!endpoint) throw new Error('The endpoint that was just made is not there.');
        return { ...toEndpointView(tx.secrets, endpoint), warning: warningOf(refusesPost(endpoint.url)), secret };
      });
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/endpoints',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookEndpoints.list',
    summary: 'List webhook endpoints',
    description:
      "Returns the oldest first, including the endpoint of the dashboard's registration and those of tenants' settings.",
    query: z.object({
      tenantId: ExternalId.optional().meta({ description: "Only those that get this tenant's events." }),
      limit: Limit,
      cursor: nextPage(Cursor),
    }),
    reply: z.object({
      endpoints: z.array(EndpointView).meta({ description: 'The endpoints on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ caller, query }, { database }) {
      const { tenantId = null, limit, cursor: after = null } = query;
      const found = await database.read((queries) =>
        listEndpoints(queries, caller.agencyId, { tenantId, after, limit: limit + 1 }),
      );
      const { rows, ...page } = pageOf(found, limit, ({ id }) => Cursor.encode(id));
      return { endpoints: rows.map((row) => toEndpointView(database.secrets, row)), ...page };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/endpoints/:id',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookEndpoints.read',
    summary: 'Read a webhook endpoint and its health',
    params: EndpointPath,
    reply: EndpointDetail,
    errors: ['not_found'],
    async handle({ caller, params }, { database }) {
      return database.read(async (queries) => {
        const endpoint = await findEndpoint(queries, caller.agencyId, params.id);
        if (!endpoint) throw notFound('endpoint');
        const history = await listEndpointHistory(queries, endpoint.id);
        return {
          ...toEndpointView(queries.secrets, endpoint),
          history: history.map(({ at, ...entry }) => ({ at: at.toISOString(), ...entry })),
        };
      });
    },
  }),

  defineRoute({
    method: 'PATCH',
    path: '/api/v1/webhooks/endpoints/:id',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookEndpoints.update',
    summary: 'Update a webhook endpoint',
    description:
      'Takes effect at once, also for waiting events: they go to the new URL. A new `ordering`, `events` ' +
      'or `tenantIds` applies to events from now on.\n\nYou cannot change whose events an endpoint of a ' +
      'setting or of a session gets.',
    params: EndpointPath,
    body: UpdateEndpoint,
    reply: EndpointChanged,
    errors: ['not_found', 'endpoint_managed'],
    async handle({ caller, params, body }, { database, refusesPost }) {
      const { agencyId: _agency, headers, ...change } = body;
      return database.transaction(async (tx) => {
        const endpoint = await lockEndpoint(tx, caller.agencyId, params.id);
        if (!endpoint) throw notFound('endpoint');
        if ((endpoint.source !== 'api' || endpoint.sessionId !== null) && change.tenantIds !== undefined) {
          throw new EngineError(
            'endpoint_managed',
            'This endpoint gets the events of its owner: create another endpoint for others.',
          );
        }
        const sealed = headers === undefined ? undefined : sealedHeaders(tx, endpoint, headers);
        await updateEndpoint(
          tx,
          endpoint,
          { ...change, headers: sealed },
          { actor: caller.actor ?? 'api', reason: null, keyId: caller.keyId },
        );
        const changed = await findEndpoint(tx, caller.agencyId, params.id);
        if (!changed) throw notFound('endpoint');
        return { ...toEndpointView(tx.secrets, changed), warning: warningOf(refusesPost(changed.url)) };
      });
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/webhooks/endpoints/:id',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookEndpoints.delete',
    summary: 'Delete a webhook endpoint',
    description:
      "Cancels the deliveries that wait for the endpoint; its deliveries and attempts stay in the lists. The dashboard's own endpoint can only be paused.",
    params: EndpointPath,
    status: 204,
    reply: NoContent,
    errors: ['not_found', 'endpoint_managed'],
    async handle({ caller, params }, { database }) {
      await database.transaction(async (tx) => {
        const endpoint = await lockEndpoint(tx, caller.agencyId, params.id);
        if (!endpoint) throw notFound('endpoint');
        if (endpoint.source === 'dashboard') {
          throw new EngineError(
            'endpoint_managed',
            "This is the dashboard's own endpoint: pause it, or change its URL.",
          );
        }
        await deleteEndpoint(tx, endpoint.id, { actor: caller.actor ?? 'api', reason: null, keyId: caller.keyId });
      });
      await cancelPending(database, params.id);
      return undefined;
    },
  }),
];

function sealedHeaders(
  { secrets }: Tx,
  endpoint: EndpointRow,
  change: Record<string, string | null> | null,
): Buffer | null {
  const merged = mergeHeaders(secrets, endpoint, change);
  switch (merged.outcome) {
    case 'merged':
      return merged.sealed;
    case 'too_many':
      throw invalid({
        pointer: '/headers',
        message: `must be at most ${MAX_HEADERS} headers, including those already set`,
      });
    case 'unreadable': {
      const message =
        'cannot be changed because ENGINE_ENCRYPTION_KEY has changed since they were set. Set null, then set all of them again';
      throw invalid({ pointer: '/headers', message });
    }
  }
}
