import { z } from 'zod';
import { rows, run } from './rows.ts';
import type { Tx } from './tx.ts';

/**
 * Makes the partitions of the coming days, without which nothing could be written, and drops those whose time is over.
 */
export async function maintainPartitions(tx: Tx): Promise<void> {
  await run(tx)`select maintain_partitions(current_date)`;
}

const LaneHeadRow = z.object({ id: z.string(), endpointId: z.string(), lane: z.string() });

/**
 * Ends deliveries whose event was dropped with its partition, because there is nothing left to post. Returns how many
 * it has ended, `limit` at most however long a lane is; call it until it returns 0.
 */
export async function failLostDeliveries(tx: Tx, limit: number): Promise<number> {
  // The head stays locked until the commit, as when its attempt is recorded: a transaction that adds to its lane waits
  // for us.
  const heads = await rows(tx, LaneHeadRow)`
    select d.id::text as id, d.endpoint_id as "endpointId", d.lane from delivery d
    where d.status = 'pending' and d.ready
      and d.event_created_at < ${tx.now}::timestamptz
        - (select keep_days from partition_policy where table_name = 'event') * interval '1 day'
      and not exists (select 1 from event e where e.created_at = d.event_created_at and e.id = d.event_id)
    order by d.event_created_at limit ${limit} for update of d skip locked`;
  if (heads.length === 0) return 0;
  // The last delivery of a lane is ended only when it is the head, because another transaction may have just queued a
  // delivery behind it. No more rows are read than may be ended.
  const ofEachLane = Math.floor(limit / heads.length);
  const count = await run(tx)`
    with head as (
      select h.id, h."endpointId" as endpoint_id, h.lane, last.place as last
      from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as h(id bigint, "endpointId" text, lane text)
      left join lateral (
        select d.place from delivery d
        where d.endpoint_id = h."endpointId" and d.lane = h.lane and d.status = 'pending' and not d.out_of_order
        order by d.place desc limit 1) last on true
    ), lost as (
      select id from head
      union
      select d.id from (select distinct on (endpoint_id, lane) * from head) l cross join lateral (
        select d.id, d.place, d.event_id, d.event_created_at from delivery d
        where d.endpoint_id = l.endpoint_id and d.lane = l.lane and d.status = 'pending'
        order by d.place limit ${ofEachLane}) d
      where d.place < l.last
        and not exists (select 1 from event e where e.created_at = d.event_created_at and e.id = d.event_id)
      limit ${limit}
    )
    update delivery d set status = 'failed', last_class = 'expired', done_at = ${tx.now}, lease_token = null,
      leased_until = null
    from lost where d.id = lost.id and d.status = 'pending'
    returning 1`;
  await run(tx)`
    select promote_lanes(h."endpointId", array_agg(distinct h.lane))
    from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as h("endpointId" text, lane text)
    group by h."endpointId"`;
  return count;
}
