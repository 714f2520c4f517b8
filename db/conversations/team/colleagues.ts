import { z } from 'zod';
import type { TenantScope } from '../../../domain/scope.ts';
import { Timestamp } from '../../engine/columns.ts';
import { rows, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';

/** A name that nobody has used for this long leaves the list. */
const KEEP_DAYS = 90;
/** A name that is used all day is written once an hour. */
const EVERY = '1 hour';

const ColleagueRow = z.object({ name: z.string(), seenAt: Timestamp });

/** Lists the names of a tenant's team, the most recent first. */
export async function listColleagues(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  limit: number,
): Promise<z.output<typeof ColleagueRow>[]> {
  return rows(queries, ColleagueRow)`
    select name, seen_at as "seenAt" from colleague where agency_id = ${agencyId} and tenant_id = ${tenantId}
    order by seen_at desc, name limit ${limit}`;
}

/** Remembers names of the team, for the list of people to assign to. */
export async function noteColleagues(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  names: readonly (string | null | undefined)[],
): Promise<void> {
  const given = [...new Set(names.filter((name) => typeof name === 'string' && name !== ''))];
  if (given.length === 0) return;
  await run(tx)`
    insert into colleague as c (agency_id, tenant_id, name, seen_at)
    select ${agencyId}, ${tenantId}, n, ${tx.now} from unnest(${given}::text[]) n
    -- Without a lock, because a name that is used all day would be waited for.
    where not exists (select from colleague k
      where k.agency_id = ${agencyId} and k.tenant_id = ${tenantId} and k.name = n
        and k.seen_at >= ${tx.now}::timestamptz - ${EVERY}::interval)
    order by n
    on conflict (agency_id, tenant_id, name) do update set seen_at = excluded.seen_at
      where c.seen_at < excluded.seen_at - ${EVERY}::interval`;
}

/** Deletes names that nobody uses any more, `limit` at most; returns how many. */
export async function forgetColleagues(tx: Tx, limit: number): Promise<number> {
  return run(tx)`
    delete from colleague where ctid = any(array(select ctid from colleague
      where seen_at < ${tx.now}::timestamptz - make_interval(days => ${KEEP_DAYS}) limit ${limit}
      for update skip locked))`;
}
