import { sql } from 'kysely';
import { z } from 'zod';
import { IdRow } from '../engine/columns.ts';
import { promise } from '../promises.ts';
import { rows } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

/**
 * Limits the runs of an agency at work at a time. The rest wait here as rows. In Temporal they would fill the workers,
 * and runs of other agencies would wait behind them.
 */
const AT_WORK_OF_AGENCY = 10;
/** A run that has neither ended nor come to wait after this time keeps no other from its turn. */
const AT_WORK_FOR_MS = 60_000;

/**
 * Promises the next runs of an agency that wait for their turn, the oldest first, as many as there is room for. The
 * runs of audiences stand behind all others, because a contact who has written waits for those. Called in each
 * transaction that begins a run, ends one, or has one wait.
 */
export async function promiseNext(tx: Tx, agencyId: string): Promise<number> {
  const next = await rows(tx, IdRow)`
    with working as (
      select count(*) as runs from (select 1 from automation_execution
        where agency_id = ${agencyId} and status = 'running' and waits_for is null
          and promised_at > ${tx.now}::timestamptz - ${AT_WORK_FOR_MS} * interval '1 millisecond'
        limit ${AT_WORK_OF_AGENCY}) counted
    ), next as (
      select id from automation_execution where agency_id = ${agencyId} and status = 'running' and promised_at is null
        and audience is null
      order by id limit (select ${AT_WORK_OF_AGENCY} - runs from working) for update skip locked
    ), patient as (
      select id from automation_execution where agency_id = ${agencyId} and status = 'running' and promised_at is null
        and audience is not null
      order by id limit (select ${AT_WORK_OF_AGENCY} - runs - (select count(*) from next) from working)
      for update skip locked
    )
    update automation_execution e set promised_at = ${tx.now}
    from (select id from next union all select id from patient) turn where e.id = turn.id returning e.id`;
  const ids = next.map(({ id }) => id);
  if (ids.length > 0) await promise(tx, 'runAutomation', { which: sql`r.id = any(${ids}::text[])` });
  return ids.length;
}

const AgencyRow = z.object({ agencyId: z.string() });

/** Promises what waits for its turn although there is room: the run that should have promised it never ended. */
export async function moveLines(tx: Tx): Promise<number> {
  const agencies = await rows(tx, AgencyRow)`
    with recursive line as (
      (select agency_id from automation_execution where status = 'running' and promised_at is null
        order by agency_id limit 1)
      union all
      select next.agency_id from line l cross join lateral (
        select e.agency_id from automation_execution e
        where e.status = 'running' and e.promised_at is null and e.agency_id > l.agency_id
        order by e.agency_id limit 1) next
    )
    select agency_id as "agencyId" from line`;
  let promised = 0;
  for (const { agencyId } of agencies) promised += await promiseNext(tx, agencyId);
  return promised;
}
