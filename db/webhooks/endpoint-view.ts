import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EndpointSource, EndpointStatus } from '../../domain/webhooks/endpoint.ts';
import type { Queries } from '../tx.ts';

/** A backlog is counted up to this number. In a list of many endpoints it is counted up to a lower one. */
const COUNTED = 10_000;
const COUNTED_IN_LISTS = 1_000;

export interface EndpointRow {
  id: string;
  agencyId: string;
  url: string;
  description: string | null;
  events: string[];
  tenantIds: string[] | null;
  ordering: 'conversation' | 'parallel' | 'fifo';
  ratePerSecond: number | null;
  concurrency: number;
  timeoutMs: number;
  headers: Buffer | null;
  retryLadderMs: number[] | null;
  secret: Buffer;
  oldSecrets: { sealed: string; until: string }[];
  status: EndpointStatus;
  statusAt: Date;
  disabledReason: string | null;
  source: EndpointSource;
  createdAt: Date;
  breaker: 'closed' | 'open' | 'half_open';
  failingSince: Date | null;
  lastError: string | null;
  consecutiveFailures: number;
  pending: number;
  nextAttemptAt: Date | null;
}

/** Endpoints of an agency with what is known of them, chosen by a condition on `endpoint e join endpoint_health h`. */
async function selectEndpoints(
  queries: Queries,
  which: RawBuilder<unknown>,
  counted = COUNTED,
): Promise<EndpointRow[]> {
  type Stored = Omit<EndpointRow, 'statusAt' | 'createdAt' | 'failingSince' | 'nextAttemptAt' | 'retryLadderMs'> & {
    statusAt: string;
    createdAt: string;
    failingSince: string | null;
    nextAttemptAt: string | null;
    retryLadderMs: (string | number)[] | null;
  };
  const { rows } = await sql<Stored>`
    select e.id, e.agency_id as "agencyId", e.url, e.description, e.events, e.tenant_ids as "tenantIds", e.ordering,
      e.rate_per_second as "ratePerSecond", e.concurrency, e.timeout_ms as "timeoutMs", e.headers,
      e.retry_ladder_ms as "retryLadderMs", e.secret, e.old_secrets as "oldSecrets", e.status, e.status_at as "statusAt",
      e.disabled_reason as "disabledReason", e.source, e.created_at as "createdAt", h.breaker,
      h.failing_since as "failingSince", h.last_error as "lastError", h.consecutive_failures as "consecutiveFailures",
      ${pendingOf(sql`e.id`, counted)} as pending,
      case when e.status = 'active' then (select min(d.next_attempt_at) from delivery d
        where d.endpoint_id = e.id and d.status = 'pending' and d.ready) end as "nextAttemptAt"
    from endpoint e join endpoint_health h on h.endpoint_id = e.id
    where e.deleted_at is null and ${which}`.execute(queries.sql);
  return rows.map((row) => ({
    ...row,
    statusAt: new Date(row.statusAt),
    createdAt: new Date(row.createdAt),
    failingSince: row.failingSince === null ? null : new Date(row.failingSince),
    nextAttemptAt: row.nextAttemptAt === null ? null : new Date(row.nextAttemptAt),
    retryLadderMs: row.retryLadderMs?.map(Number) ?? null,
  }));
}

export async function findEndpoint(queries: Queries, agencyId: string, id: string): Promise<EndpointRow | undefined> {
  const [found] = await selectEndpoints(queries, sql`e.agency_id = ${agencyId} and e.id = ${id}`);
  return found;
}

/** Lists the oldest first. */
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

function pendingOf(endpointId: RawBuilder<unknown>, counted: number): RawBuilder<unknown> {
  return sql`(select count(*)::int from (
    select 1 from delivery d where d.endpoint_id = ${endpointId} and d.status = 'pending' limit ${counted}) p)`;
}

export async function pendingCount(queries: Queries, endpointId: string): Promise<number> {
  const { rows } = await sql<{ pending: number }>`select ${pendingOf(sql`${endpointId}`, COUNTED)} as pending`.execute(
    queries.sql,
  );
  return rows[0]?.pending ?? 0;
}
