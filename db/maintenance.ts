import { run } from './rows.ts';
import type { Tx } from './tx.ts';

/**
 * Makes the partitions of the coming days, without which nothing could be written, and drops those whose time is over.
 */
export async function maintainPartitions(tx: Tx): Promise<void> {
  await run(tx)`select maintain_partitions(current_date)`;
}

/**
 * Ends deliveries whose event was dropped with its partition, because there is nothing left to post. Returns how many
 * it has ended, `limit` at most; call it until it returns 0.
 */
export async function failLostDeliveries(tx: Tx, limit: number): Promise<number> {
  return run(tx)`
    with lost as (
      select d.id from delivery d
      where d.status = 'pending'
        and d.event_created_at < ${tx.now}::timestamptz
          - (select keep_days from partition_policy where table_name = 'event') * interval '1 day'
        and not exists (select 1 from event e where e.created_at = d.event_created_at and e.id = d.event_id)
      order by d.event_created_at limit ${limit} for update of d skip locked
    )
    update delivery d set status = 'failed', last_class = 'expired', done_at = ${tx.now}, lease_token = null,
      leased_until = null
    from lost where d.id = lost.id and d.status = 'pending'
    returning 1`;
}
