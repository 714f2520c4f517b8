import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { BREAKER_STATES, ENDPOINT_SOURCES, ENDPOINT_STATUSES, ORDERINGS } from '../../domain/webhooks/endpoint.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import { toCome } from './delivery.ts';
import { OldSecret } from './endpoint-secrets.ts';

/** The bounds up to which a backlog is counted: a lower one in lists, which have many endpoints. */
const COUNTED = 10_000;
const COUNTED_IN_LISTS = 1_000;

const EndpointRow = z.object({
  id: z.string(),
  agencyId: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.string()),
  tenantIds: z.array(z.string()).nullable(),
  sessionId: z.string().nullable(),
  ordering: z.enum(ORDERINGS),
  ratePerSecond: z.int().nullable(),
  concurrency: z.int(),
  timeoutMs: z.int(),
  headers: z.instanceof(Buffer).nullable(),
  // The column holds bigints, which arrive as text.
  retryLadderMs: z.array(z.coerce.number()).nullable(),
  secret: z.instanceof(Buffer),
  oldSecrets: z.array(OldSecret),
  status: z.enum(ENDPOINT_STATUSES),
  statusAt: Timestamp,
  disabledReason: z.string().nullable(),
  source: z.enum(ENDPOINT_SOURCES),
  createdAt: Timestamp,
  breaker: z.enum(BREAKER_STATES),
  failingSince: Timestamp.nullable(),
  lastError: z.string().nullable(),
  consecutiveFailures: z.int(),
  pending: z.int(),
  nextAttemptAt: Timestamp.nullable(),
});
export type EndpointRow = z.output<typeof EndpointRow>;

/** Selects endpoints with their health, by a condition on `endpoint e join endpoint_health h`. */
async function selectEndpoints(
  queries: Queries,
  which: RawBuilder<unknown>,
  counted = COUNTED,
): Promise<EndpointRow[]> {
  const found = await rows(queries, EndpointRow)`
    select e.id, e.agency_id as "agencyId", e.url, e.description, e.events, e.tenant_ids as "tenantIds",
      e.session_id as "sessionId", e.ordering, e.rate_per_second as "ratePerSecond", e.concurrency,
      e.timeout_ms as "timeoutMs", e.headers, e.retry_ladder_ms as "retryLadderMs", e.secret,
      e.old_secrets as "oldSecrets", e.status, e.status_at as "statusAt",
      e.disabled_reason as "disabledReason", e.source, e.created_at as "createdAt", h.breaker,
      h.failing_since as "failingSince", h.last_error as "lastError", h.consecutive_failures as "consecutiveFailures",
      ${pendingOf(sql`e.id`, counted)} as pending,
      next_delivery_at(e.id) as "nextAttemptAt"
    from endpoint e join endpoint_health h on h.endpoint_id = e.id
    where e.deleted_at is null and ${which}`;
  return found.map((each) => ({ ...each, nextAttemptAt: toCome(each.nextAttemptAt, queries.now) }));
}

export async function findEndpoint(queries: Queries, agencyId: string, id: string): Promise<EndpointRow | undefined> {
  const [found] = await selectEndpoints(queries, sql`e.agency_id = ${agencyId} and e.id = ${id}`);
  return found;
}

/** Lists an agency's endpoints, the oldest first. */
export async function listEndpoints(
  queries: Queries,
  agencyId: string,
  page: { tenantId: string | null; after: string | null; limit: number },
): Promise<EndpointRow[]> {
  return selectEndpoints(
    queries,
    sql`e.agency_id = ${agencyId} and (${page.after}::text is null or e.id > ${page.after})
      and (${page.tenantId}::text is null or e.tenant_ids is null or ${page.tenantId} = any(e.tenant_ids))
      order by e.id limit ${page.limit}`,
    COUNTED_IN_LISTS,
  );
}

/** Lists the endpoints of one session, the oldest first; they are few. */
export async function listSessionEndpoints(
  queries: Queries,
  agencyId: string,
  sessionId: string,
): Promise<EndpointRow[]> {
  return selectEndpoints(
    queries,
    sql`e.agency_id = ${agencyId} and e.session_id = ${sessionId} order by e.id`,
    COUNTED_IN_LISTS,
  );
}

function pendingOf(endpointId: RawBuilder<unknown>, counted: number): RawBuilder<unknown> {
  return sql`(select count(*)::int from (
    select 1 from delivery d where d.endpoint_id = ${endpointId} and d.status = 'pending' limit ${counted}) p)`;
}

const PendingCountRow = z.object({ pending: z.int() });

export async function pendingCount(queries: Queries, endpointId: string): Promise<number> {
  const found = await row(queries, PendingCountRow)`select ${pendingOf(sql`${endpointId}`, COUNTED)} as pending`;
  return found?.pending ?? 0;
}
