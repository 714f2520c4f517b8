import { z } from 'zod';
import { rotateSecret } from '../../db/endpoint-change.ts';
import { changeEndpointStatus } from '../../db/endpoint-state.ts';
import { newWebhookSecret } from '../../db/endpoint.ts';
import { findEndpoint } from '../../db/endpoint-view.ts';
import type { EndpointRow } from '../../db/endpoint-view.ts';
import type { Database, Queries } from '../../db/database.ts';
import { replayEvents } from '../../db/replay.ts';
import type { Replay } from '../../db/replay.ts';
import { emitTrial } from '../../db/trial.ts';
import {
  EndpointView,
  PauseEndpoint,
  Replayed,
  ReplaySpan,
  ResumeEndpoint,
  RotateSecret,
  SecretRotated,
  TestEndpoint,
} from '../../domain/endpoint.ts';
import { notFound } from '../../domain/error.ts';
import { defineRoute } from '../deps.ts';
import { toEndpointView } from '../webhook-view.ts';

const EndpointPath = z.object({ id: z.string().min(1).max(64) });

/** As many as one request does. */
const MOST_REPLAYED = 10_000;

interface AgencyCaller {
  agencyId: string;
  keyId: string;
}

export const webhookEndpointActionRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/:id/rotate-secret',
    auth: 'agency',
    tags: ['Webhooks'],
    summary: 'Give a webhook endpoint a new secret',
    description: 'For `overlapHours` each request bears a signature by the old secret, too; three old ones at most.',
    params: EndpointPath,
    body: RotateSecret,
    reply: SecretRotated,
    idempotent: true,
    secrets: ['secret'],
    errors: ['not_found'],
    handle: ({ caller, params, body, commit }) =>
      commit.transaction(async (tx) => {
        const endpoint = await requireEndpoint(tx, caller, params.id);
        const { secret = newWebhookSecret(), overlapHours } = body;
        const by = { actor: 'api', reason: null, keyId: caller.keyId };
        const oldSecretsUntil = await rotateSecret(tx, endpoint, { secret, overlapHours }, by);
        return { id: endpoint.id, secret, oldSecretsUntil };
      }),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/:id/pause',
    auth: 'agency',
    tags: ['Webhooks'],
    summary: 'Pause a webhook endpoint',
    description: 'Nothing is lost: its events wait until it is resumed. One that is disabled stays so.',
    params: EndpointPath,
    body: PauseEndpoint,
    reply: EndpointView,
    errors: ['not_found'],
    async handle({ caller, params, body }, { database }) {
      return changeStatus(database, caller, params.id, 'paused', body.reason);
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/:id/resume',
    auth: 'agency',
    tags: ['Webhooks'],
    summary: 'Resume a webhook endpoint',
    description:
      'Also one that was disabled. What waits goes out in order. An endpoint that is active is tried again at once, as if it had never failed.',
    params: EndpointPath,
    body: ResumeEndpoint,
    reply: EndpointView.extend({ recovered: z.int().meta({ description: 'How many deliveries are tried again.' }) }),
    errors: ['not_found'],
    async handle({ caller, params, body }, { database }) {
      const before = await database.read((queries) => requireEndpoint(queries, caller, params.id));
      const view = await changeStatus(database, caller, params.id, 'active', body.reason);
      if (!body.recover) return { ...view, recovered: 0 };
      const endedSince = before.failingSince ?? before.statusAt;
      const failed = { endpointId: before.id, since: new Date(0), until: null, only: 'failed', endedSince } as const;
      const { count } = await replayEvents(
        database,
        { ...failed, dryRun: false },
        {
          actor: 'api',
          reason: body.reason ?? null,
          keyId: caller.keyId,
        },
      );
      return { ...view, recovered: count };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/:id/test',
    auth: 'agency',
    tags: ['Webhooks'],
    summary: 'Send a webhook endpoint a test event',
    description:
      'To this endpoint alone, whatever it asks for, and past what waits there. `metadata.test` is true; a receiver should ' +
      'check it and do nothing. What came of it is in `/api/v1/webhooks/attempts?eventId=`.',
    params: EndpointPath,
    body: TestEndpoint,
    status: 202,
    reply: z.object({ eventId: z.string() }),
    idempotent: true,
    errors: ['not_found'],
    handle: ({ caller, params, body, commit }) =>
      commit.transaction(async (tx) => {
        const endpoint = await requireEndpoint(tx, caller, params.id);
        return { eventId: emitTrial(tx, endpoint, body.event) };
      }),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/:id/recover',
    auth: 'agency',
    tags: ['Webhooks'],
    summary: 'Try again what used up its attempts',
    description:
      'Of the events from `since` to `until`. They go out in the order of their conversations, with a new ladder of retries.',
    params: EndpointPath,
    body: ReplaySpan,
    reply: Replayed,
    errors: ['not_found'],
    handle: ({ caller, params, body }, { database }) => replay(database, caller, params.id, body, 'failed'),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/:id/replay',
    auth: 'agency',
    tags: ['Webhooks'],
    summary: 'Send all events of a span again',
    description:
      'All that the endpoint asks for now, from `since` to `until`: also what was delivered or cancelled, and what happened ' +
      'before there was the endpoint. Each keeps its id, by which the receiver knows what it has had.',
    params: EndpointPath,
    body: ReplaySpan,
    reply: Replayed,
    errors: ['not_found'],
    handle: ({ caller, params, body }, { database }) => replay(database, caller, params.id, body, 'all'),
  }),
];

async function requireEndpoint(queries: Queries, { agencyId }: AgencyCaller, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(queries, agencyId, id);
  if (!endpoint) throw notFound('endpoint');
  return endpoint;
}

async function changeStatus(
  database: Database,
  caller: AgencyCaller,
  id: string,
  to: 'active' | 'paused',
  reason: string | undefined,
) {
  return database.transaction(async (tx) => {
    await requireEndpoint(tx, caller, id);
    await changeEndpointStatus(tx, id, to, { actor: 'api', reason: reason ?? null, keyId: caller.keyId });
    return toEndpointView(tx.secrets, await requireEndpoint(tx, caller, id));
  });
}

async function replay(
  database: Database,
  caller: AgencyCaller,
  id: string,
  { since, until, dryRun }: z.infer<typeof ReplaySpan>,
  only: Replay['only'],
): Promise<z.infer<typeof Replayed>> {
  const endpoint = await database.read((queries) => requireEndpoint(queries, caller, id));
  const span = { since: new Date(since), until: until === undefined ? null : new Date(until) };
  const by = { actor: 'api', reason: null, keyId: caller.keyId };
  const { count, continueFrom } = await replayEvents(
    database,
    { endpointId: endpoint.id, ...span, only, dryRun, most: MOST_REPLAYED },
    by,
  );
  return { count, continueFrom: continueFrom?.toISOString() ?? null };
}
