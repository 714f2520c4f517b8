import { z } from 'zod';
import { lockEndpoint, rotateSecret } from '../../db/webhooks/endpoint-change.ts';
import { resumeAndRecover } from '../../db/webhooks/endpoint-resume.ts';
import { changeEndpointStatus } from '../../db/webhooks/endpoint-state.ts';
import type { Actor } from '../../db/webhooks/endpoint-history.ts';
import { newWebhookSecret } from '../../db/webhooks/endpoint.ts';
import { findEndpoint } from '../../db/webhooks/endpoint-view.ts';
import type { EndpointRow } from '../../db/webhooks/endpoint-view.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Queries, Tx } from '../../db/engine/tx.ts';
import { countReplayed, replayPart } from '../../db/webhooks/replay.ts';
import type { Replay } from '../../db/webhooks/replay.ts';
import { emitTrial } from '../../db/webhooks/trial.ts';
import {
  EndpointResumed,
  PauseEndpoint,
  Replayed,
  ReplaySpan,
  ResumeEndpoint,
  RotateSecret,
  SecretRotated,
  TestEndpoint,
} from '../../domain/webhooks/endpoint-actions.ts';
import { EndpointView } from '../../domain/webhooks/endpoint.ts';
import { notFound } from '../../domain/error.ts';
import type { ErrorCode } from '../../domain/error.ts';
import type { Commit } from '../route/commit.ts';
import { defineRoute } from '../deps.ts';
import { continuationOf, toContinueFrom } from './replay-cursor.ts';
import { toEndpointView } from './view.ts';
import { EndpointId, EventId } from '../../domain/ids.ts';

const EndpointPath = z.object({ id: EndpointId });
/** Describes the requests that send the events of a span to an endpoint again. */
const ofSpan = {
  params: EndpointPath,
  body: ReplaySpan,
  reply: Replayed,
  idempotent: true as const,
  errors: ['not_found'] satisfies ErrorCode[],
};

interface AgencyCaller {
  agencyId: string;
  keyId: string;
  actor?: string;
}

export const webhookEndpointActionRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/:id/rotate-secret',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookEndpoints.rotateSecret',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'For `overlapHours`, each request also carries a signature made with the old secret. Up to three old secrets sign at a time.',
    params: EndpointPath,
    body: RotateSecret,
    reply: SecretRotated,
    idempotent: true,
    secrets: ['secret'],
    errors: ['not_found'],
    handle: ({ caller, params, body, commit }) =>
      commit.transaction(async (tx) => {
        const endpoint = await lockEndpoint(tx, caller.agencyId, params.id);
        if (!endpoint) throw notFound('endpoint');
        const { secret = newWebhookSecret(), overlapHours } = body;
        const oldSecretsUntil = await rotateSecret(tx, endpoint, { secret, overlapHours }, byKey(caller));
        return { id: endpoint.id, secret, oldSecretsUntil };
      }),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/:id/pause',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookEndpoints.pause',
    summary: 'Pause a webhook endpoint',
    description: 'No event is lost: events wait until the endpoint is resumed. A disabled endpoint stays disabled.',
    params: EndpointPath,
    body: PauseEndpoint,
    reply: EndpointView,
    errors: ['not_found'],
    async handle({ caller, params, body }, { database }) {
      return database.transaction(async (tx) => {
        await requireEndpoint(tx, caller, params.id);
        await changeEndpointStatus(tx, params.id, 'paused', byKey(caller, body.reason));
        return viewOf(tx, caller, params.id);
      });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/:id/resume',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookEndpoints.resume',
    summary: 'Resume a webhook endpoint',
    description:
      'Also resumes a disabled endpoint. Waiting events are sent in order.\n\nAn active endpoint is tried ' +
      'again at once, as if it had never failed. With `recover`, one request recovers about 5,000 ' +
      'deliveries; if there are more, repeat it with `continueFrom`.',
    params: EndpointPath,
    body: ResumeEndpoint,
    reply: EndpointResumed,
    idempotent: true,
    errors: ['not_found'],
    handle({ caller, params, body, commit }) {
      const from = continuationOf(body.continueFrom, 'failed');
      const by = byKey(caller, body.reason);
      return commit.transaction(async (tx) => {
        const endpoint = await requireEndpoint(tx, caller, params.id);
        if (!body.recover) {
          await changeEndpointStatus(tx, params.id, 'active', by);
          return { ...(await viewOf(tx, caller, params.id)), recovered: 0, continueFrom: null };
        }
        const resumed = await resumeAndRecover(tx, endpoint, from, by);
        if (!resumed) throw notFound('endpoint');
        const { count, continueFrom, endedSince } = resumed;
        const more = toContinueFrom(continueFrom, 'failed', endedSince);
        return { ...(await viewOf(tx, caller, params.id)), recovered: count, continueFrom: more };
      });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/:id/test',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookEndpoints.test',
    summary: 'Send a webhook endpoint a test event',
    description:
      'Sends the event to this endpoint only, whatever event types it asks for, and ahead of the events ' +
      'that wait there. `metadata.test` is true; a receiver should check it and take no action.\n\nRead the ' +
      'result at `/api/v1/webhooks/attempts?eventId=`.',
    params: EndpointPath,
    body: TestEndpoint,
    status: 202,
    reply: z.object({ eventId: EventId.meta({ description: "The test event's id, which finds its attempts." }) }),
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
    cost: 10,
    scope: 'webhooks',
    operationId: 'webhookEndpoints.recover',
    summary: 'Retry deliveries that used up their attempts',
    description:
      'Covers events from `since` to `until`. Deliveries are sent in the order of their conversations, ' +
      'with a new retry ladder.\n\nOne request handles about 5,000; if there are more, repeat it with ' +
      '`continueFrom`.',
    ...ofSpan,
    handle: ({ caller, params, body, commit }, { database }) =>
      replay({ database, commit }, caller, params.id, body, 'failed'),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/:id/replay',
    auth: 'agency',
    cost: 10,
    scope: 'webhooks',
    operationId: 'webhookEndpoints.replay',
    summary: 'Replay all events of a time span',
    description:
      "Sends the endpoint's events from `since` to `until` again, including delivered and cancelled ones. " +
      'Each event keeps its id.\n\nIt includes events from before the endpoint existed. One request looks at ' +
      'about 5,000; if there are more, repeat it with `continueFrom`, even if `count` is 0.',
    ...ofSpan,
    handle: ({ caller, params, body, commit }, { database }) =>
      replay({ database, commit }, caller, params.id, body, 'all'),
  }),
];

async function requireEndpoint(queries: Queries, { agencyId }: AgencyCaller, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(queries, agencyId, id);
  if (!endpoint) throw notFound('endpoint');
  return endpoint;
}

function byKey({ keyId, actor = 'api' }: AgencyCaller, reason?: string): Actor {
  return { actor, reason: reason ?? null, keyId };
}

async function viewOf(tx: Tx, caller: AgencyCaller, id: string) {
  return toEndpointView(tx.secrets, await requireEndpoint(tx, caller, id));
}

async function replay(
  { database, commit }: { database: Database; commit: Commit<z.infer<typeof Replayed>> },
  caller: AgencyCaller,
  id: string,
  { since, until, dryRun, continueFrom: from }: z.infer<typeof ReplaySpan>,
  only: Replay['only'],
): Promise<z.infer<typeof Replayed>> {
  const continuation = continuationOf(from, only);
  const span = { since: new Date(since), until: until === undefined ? null : new Date(until) };
  const asked: Replay = { endpointId: id, ...span, only };
  if (dryRun) {
    return database.read(async (queries) => {
      await requireEndpoint(queries, caller, id);
      return { count: await countReplayed(queries, asked), continueFrom: null };
    });
  }
  return commit.transaction(async (tx) => {
    await requireEndpoint(tx, caller, id);
    const { count, continueFrom } = await replayPart(tx, asked, continuation?.place ?? null, byKey(caller));
    return { count, continueFrom: toContinueFrom(continueFrom, only) };
  });
}
