import { IdRow } from '../engine/columns.ts';
import { rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

const DAY_MS = 86_400_000;
/** Deleted endpoints are kept for as long as their deliveries. */
const KEEP_DAYS = 90;
const KEEP_HISTORY_DAYS = 365;

/**
 * Forgets old notices, old history, and deleted endpoints that have neither deliveries nor notices any more. Returns
 * how many of the most frequent kind, `limit` at most.
 */
export async function forgetEndpoints(tx: Tx, limit: number): Promise<number> {
  const before = (days: number) => new Date(tx.now.getTime() - days * DAY_MS);
  const notices = await run(tx)`
    delete from endpoint_notice where id = any(array(select id from endpoint_notice
      where at < ${before(KEEP_DAYS)} order by at limit ${limit}))`;
  const history = await run(tx)`
    delete from endpoint_history where id = any(array(select id from endpoint_history
      where at < ${before(KEEP_HISTORY_DAYS)} order by at limit ${limit}))`;
  const found = await rows(tx, IdRow)`
    select e.id from endpoint e
    where e.deleted_at < ${before(KEEP_DAYS)}
      and not exists (select 1 from delivery d where d.endpoint_id = e.id)
      and not exists (select 1 from endpoint_notice n where n.endpoint_id = e.id)
    order by e.deleted_at limit ${limit} for update of e skip locked`;
  if (found.length > 0)
    await forgetEach(
      tx,
      found.map(({ id }) => id),
    );
  return Math.max(notices, history, found.length);
}

async function forgetEach(tx: Tx, ids: string[]): Promise<void> {
  await run(tx)`delete from endpoint_history where endpoint_id = any(${ids}::text[])`;
  await run(tx)`delete from endpoint_health where endpoint_id = any(${ids}::text[])`;
  await run(tx)`delete from endpoint_drain where endpoint_id = any(${ids}::text[])`;
  await run(tx)`delete from endpoint where id = any(${ids}::text[])`;
}
