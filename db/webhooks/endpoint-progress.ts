import { z } from 'zod';
import { BREAKER_STATES, ENDPOINT_STATUSES } from '../../domain/webhooks/endpoint.ts';
import type { EndpointStatus } from '../../domain/webhooks/endpoint.ts';
import { Timestamp } from '../engine/columns.ts';
import { row } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import { nextDeliveryAt } from './delivery.ts';

/** The progress of an endpoint's deliveries, as its workflow execution shows it. */
export interface EndpointProgress {
  /** The time at which the rows were read. */
  asOf: string;
  status: EndpointStatus | 'deleted';
  disabledReason: string | null;
  breaker: (typeof BREAKER_STATES)[number];
  /** The number of pending deliveries; at most 10,000 are counted. */
  pending: number;
  /**
   * The number of lanes with a pending delivery. A lane is a conversation, or whatever else the endpoint keeps in
   * order.
   */
  lanes: number;
  lastError: string | null;
  failingSince: string | null;
  nextAttemptAt: string | null;
  /** Milliseconds until a delivery is due that no worker takes care of; null when there is none. */
  nextInMs: number | null;
}

const COUNTED = 10_000;
/** A shard without an owner has one after this long, unless no worker runs. */
const UNOWNED_MS = 5_000;

export const DELETED: Omit<EndpointProgress, 'asOf'> = {
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

const ProgressRow = z.object({
  status: z.enum(ENDPOINT_STATUSES),
  disabledReason: z.string().nullable(),
  breaker: z.enum(BREAKER_STATES),
  pending: z.int(),
  lanes: z.int(),
  lastError: z.string().nullable(),
  failingSince: Timestamp.nullable(),
  isOwned: z.boolean(),
});

export async function endpointProgress(queries: Queries, endpointId: string): Promise<EndpointProgress> {
  const found = await row(queries, ProgressRow)`
    select e.status, e.disabled_reason as "disabledReason", h.breaker, h.last_error as "lastError",
      h.failing_since as "failingSince",
      p.pending, p.lanes, exists (select 1 from delivery_shard s
        where s.shard = shard_of(e.id) and is_live_worker(s.owner)) as "isOwned"
    from endpoint e join endpoint_health h on h.endpoint_id = e.id
      cross join lateral (
        select count(*)::int as pending, count(distinct d.lane)::int as lanes
        from (select lane from delivery where endpoint_id = e.id and status = 'pending' limit ${COUNTED}) d) p
    where e.id = ${endpointId} and e.deleted_at is null`;
  const asOf = queries.now.toISOString();
  if (!found) return { asOf, ...DELETED };
  const { isOwned, ...progress } = found;
  const next = await nextDeliveryAt(queries, endpointId);
  const { failingSince } = progress;
  return {
    asOf,
    ...progress,
    failingSince: failingSince?.toISOString() ?? null,
    nextAttemptAt: next === null ? null : next.toISOString(),
    nextInMs: next === null || isOwned ? null : Math.max(UNOWNED_MS, next.getTime() - queries.now.getTime()),
  };
}
