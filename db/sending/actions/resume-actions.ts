import { sql } from 'kysely';
import { PRIORITY } from '../../../domain/names.ts';
import { IdRow } from '../../engine/columns.ts';
import { promise, promiseMissing } from '../../promises.ts';
import { rows } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';

/** Hints that the session is back at the workflows of messages to which something is to be done. */
export async function resumeActions(tx: Tx, sessionId: string): Promise<void> {
  await promise(tx, 'actOnMessage', {
    which: sql`r.id in (select message_id from message_action
      where session_id = ${sessionId} and ended_at is null)`,
    signal: 'due',
  });
}

/** An action that has not ended is promised again after this time; a workflow that runs only looks once more. */
const AGAIN_AFTER_MS = 15 * 60_000;

/** Promises again the workflows of messages to which something is to be done; returns how many. */
export async function redispatchActions(tx: Tx, limit: number, allSince: Date | null = null): Promise<number> {
  const before = allSince ?? new Date(tx.now.getTime() - AGAIN_AFTER_MS);
  const due = await rows(tx, IdRow)`
    with due as (
      select id from message_action where ended_at is null and promised_at < ${before}
      order by promised_at limit ${limit} for update skip locked
    )
    update message_action a set promised_at = ${tx.now} from due where a.id = due.id returning a.message_id as id`;
  if (due.length === 0) return 0;
  await promiseMissing(tx, 'actOnMessage', {
    which: sql`r.id = any(${due.map(({ id }) => id)}::text[])`,
    signal: 'due',
    priority: PRIORITY.background,
    movedAt: null,
    note: ' · again',
  });
  return due.length;
}
