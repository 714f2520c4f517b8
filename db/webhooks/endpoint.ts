import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { EndpointSource, ORDERINGS } from '../../domain/webhooks/endpoint.ts';
import { row, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { sealHeaders, sealSecret } from './endpoint-secrets.ts';
import { promiseEndpointWorkflow } from './endpoint-workflow.ts';
import { newId } from '../engine/new-id.ts';

export interface NewEndpoint {
  agencyId: string;
  source: EndpointSource;
  /** The tenants whose events the endpoint gets; null for every tenant of the agency. */
  tenantIds: string[] | null;
  /** The session whose events alone it gets; its tenant is the only one of `tenantIds`. */
  sessionId?: string | undefined;
  url: string;
  secret: string;
  events: readonly string[];
  description?: string | null | undefined;
  ordering?: (typeof ORDERINGS)[number] | undefined;
  ratePerSecond?: number | null | undefined;
  concurrency?: number | undefined;
  timeoutMs?: number | undefined;
  retryLadderMs?: number[] | null | undefined;
  headers?: Record<string, string> | undefined;
}

const CONCURRENCY = 10;

export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<string> {
  const id = newId('whe');
  const { headers, timeoutMs = tx.webhooks.timeoutMs, concurrency = CONCURRENCY } = endpoint;
  await run(tx)`
    insert into endpoint (id, agency_id, source, tenant_ids, session_id, url, secret, events, description, ordering,
      rate_per_second, concurrency, timeout_ms, retry_ladder_ms, headers, created_at, status_at)
    values (${id}, ${endpoint.agencyId}, ${endpoint.source}, ${endpoint.tenantIds}, ${endpoint.sessionId ?? null},
      ${endpoint.url}, ${sealSecret(tx.secrets, id, endpoint.secret)}, ${endpoint.events},
      ${endpoint.description ?? null},
      ${endpoint.ordering ?? 'conversation'}, ${endpoint.ratePerSecond ?? null}, ${concurrency}, ${timeoutMs},
      ${endpoint.retryLadderMs ?? null}, ${sealHeaders(tx.secrets, id, headers ?? null)}, ${tx.now}, ${tx.now})`;
  await run(tx)`
    with health as (insert into endpoint_health (endpoint_id) values (${id}))
    insert into endpoint_drain (endpoint_id) values (${id})`;
  await promiseEndpointWorkflow(tx, { id });
  return id;
}

const OwnEndpointsRow = z.object({ live: z.int(), deleted: z.int() });

/**
 * Counts the endpoints that the agency made by API calls for itself, not those of single sessions, and how many of them
 * were deleted in the last day, because their rows are kept. It locks the agency, so that two calls at the same time
 * cannot both make the last endpoint that is allowed.
 */
export async function countOwnEndpoints(tx: Tx, agencyId: string): Promise<{ live: number; deleted: number }> {
  await run(tx)`select 1 from agency where id = ${agencyId} for no key update`;
  const found = await row(tx, OwnEndpointsRow)`
    select (select count(*)::int from endpoint
      where agency_id = ${agencyId} and source = 'api' and session_id is null and deleted_at is null) as live,
      (select count(*)::int from endpoint where agency_id = ${agencyId} and source = 'api' and session_id is null
        and deleted_at > ${tx.now}::timestamptz - interval '1 day') as deleted`;
  return found ?? { live: 0, deleted: 0 };
}

const SECRET_BYTES = 32;

/** Makes a secret in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
