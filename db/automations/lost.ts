import { sql } from 'kysely';
import { PRIORITY } from '../../domain/names.ts';
import { IdRow } from '../engine/columns.ts';
import { promiseMissing } from '../promises.ts';
import { rows } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

/** A run of an automation that nothing runs is promised again after this time. */
const EXECUTION_AGAIN_AFTER_MS = 15 * 60_000;

/**
 * Promises runs of automations again that nothing runs. One that waits is promised again only when its time is
 * over; its steps are in rows, so a workflow that begins anew goes on behind them.
 */
export async function redispatchExecutions(tx: Tx, limit: number, allSince: Date | null = null): Promise<number> {
  const before = allSince ?? new Date(tx.now.getTime() - EXECUTION_AGAIN_AFTER_MS);
  const due = await rows(tx, IdRow)`
    with due as (
      select id from automation_execution
      where status = 'running' and promised_at < ${before}
        and (${allSince !== null} or waits_until is null or waits_until < ${before})
      order by promised_at limit ${limit} for update skip locked
    )
    update automation_execution e set promised_at = ${tx.now} from due where e.id = due.id returning e.id`;
  if (due.length === 0) return 0;
  await promiseMissing(tx, 'runAutomation', {
    which: sql`r.id = any(${due.map(({ id }) => id)}::text[])`,
    priority: PRIORITY.background,
    movedAt: null,
    note: ' · again',
  });
  return due.length;
}
