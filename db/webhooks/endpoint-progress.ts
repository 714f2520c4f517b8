import { sql } from 'kysely';
import type { Queries } from '../tx.ts';
import { nextDeliveryAt } from './delivery.ts';

/** How the deliveries of an endpoint go, as its execution shows it. */
export interface EndpointProgress {
  /** The time of this look. */
  asOf: string;
  status: 'active' | 'paused' | 'disabled' | 'deleted';
  disabledReason: string | null;
  breaker: 'closed' | 'open' | 'half_open';
  /** At most 10,000 are counted. */
  pending: number;
  /** How many lanes have something pending: conversations, or whatever else the endpoint keeps in order. */
  lanes: number;
  lastError: string | null;
  failingSince: string | null;
  nextAttemptAt: string | null;
  /** Milliseconds until there is something to do that nobody does; null when there is nothing. */
  nextInMs: number | null;
}

const COUNTED = 10_000;

const DELETED: Omit<EndpointProgress, 'asOf'> = {
  status: 'deleted',
  disabledReason: null,
  breaker: 'closed',
  pending: 0,
  lanes: 0,
  lastError: null,
  failingSince: null,
  nextAttemptAt: null,
  nextInMs: null,
};

type Row = Omit<EndpointProgress, 'asOf' | 'nextAttemptAt' | 'nextInMs'> & { drained: boolean };

export async function endpointProgress(queries: Queries, endpointId: string): Promise<EndpointProgress> {
  const { rows } = await sql<Row>`
    select e.status, e.disabled_reason as "disabledReason", h.breaker, h.last_error as "lastError", h.failing_since as "failingSince",
      p.pending, p.lanes, coalesce(n.drained_until > clock_timestamp(), false) as drained
    from endpoint e join endpoint_health h on h.endpoint_id = e.id join endpoint_drain n on n.endpoint_id = e.id
      cross join lateral (
        select count(*)::int as pending, (count(*) filter (where d.ready))::int as lanes
        from (select ready from delivery where endpoint_id = e.id and status = 'pending' limit ${COUNTED}) d) p
    where e.id = ${endpointId} and e.deleted_at is null`.execute(queries.sql);
  const [row] = rows;
  const asOf = queries.now.toISOString();
  if (!row) return { asOf, ...DELETED };
  const { drained, ...progress } = row;
  const next = await nextDeliveryAt(queries, endpointId);
  const { failingSince } = progress;
  return {
    asOf,
    ...progress,
    failingSince: failingSince === null ? null : new Date(failingSince).toISOString(),
    nextAttemptAt: next === null ? null : next.toISOString(),
    nextInMs: next === null || drained ? null : Math.max(0, next.getTime() - queries.now.getTime()),
  };
}
