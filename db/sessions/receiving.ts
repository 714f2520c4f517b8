import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { PRIORITY } from '../../domain/names.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import type { GapCause, Window } from '../../domain/sessions/gap.ts';
import { IdRow, Timestamp } from '../engine/columns.ts';
import { promiseMissing } from '../promises.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { openGaps } from './gaps.ts';

/** When no process has taken events for this long, what was told meanwhile may be lost. */
const LOST_AFTER_MS = 60_000;

const Lost = z.object({ from: Timestamp, to: Timestamp });

/**
 * Notes that a process takes events now. Returns the time in which none did, if its gaps are not written yet. Whoever
 * writes them says so by {@link forgetLost}.
 */
export async function beatReceiving(tx: Tx): Promise<Window | null> {
  const lost = await row(tx, Lost)`
    with beat as (
      insert into receiving as r (beat_at) values (${tx.now}::timestamptz)
      on conflict (is_one) do update set beat_at = greatest(r.beat_at, excluded.beat_at),
        lost_from = case when excluded.beat_at - r.beat_at > ${LOST_AFTER_MS} * interval '1 millisecond'
          then least(r.lost_from, r.beat_at) else r.lost_from end,
        lost_to = case when excluded.beat_at - r.beat_at > ${LOST_AFTER_MS} * interval '1 millisecond'
          then excluded.beat_at else r.lost_to end
      returning lost_from as "from", lost_to as "to"
    )
    select * from beat where "from" is not null`;
  return lost ?? null;
}

export async function forgetLost(tx: Tx, { to }: Window): Promise<void> {
  await run(tx)`update receiving set lost_from = null, lost_to = null where lost_to = ${to}::timestamptz`;
}

const PAGE = 500;
/** The sessions of an engine that comes back are compared so much after each other, to spare their backends. */
const SPREAD_MS = 20;

/**
 * Opens a gap for a page of the sessions that should have been heard, and has their supervisors compare it. Returns how
 * many they are, and the last of them, after which the next page begins; null when there are no more.
 */
export async function openGapsOfWorking(
  tx: Tx,
  gap: Window & { cause: GapCause; backend?: string },
  { after, place }: { after: string; place: number },
): Promise<{ last: string | null; count: number }> {
  const { cause, from, to, backend } = gap;
  const page = await rows(tx, IdRow)`
    select id from session where status = ${WORKING} and wish = 'running' and deleted_at is null and id > ${after}
      and (${backend ?? null}::text is null or backend = ${backend ?? null})
    order by id limit ${PAGE}`;
  const ids = page.map(({ id }) => id);
  const opened = await openGaps(tx, ids, { cause, from, to, delayMs: place * SPREAD_MS, spreadMs: SPREAD_MS });
  await askToCompare(tx, sql`r.id = any(${opened}::text[])`);
  return { last: ids.length === PAGE ? (ids.at(-1) ?? null) : null, count: ids.length };
}

/** Has supervisors look at sessions, because a gap is to be compared. */
export async function askToCompare(tx: Tx, which: RawBuilder<unknown>): Promise<void> {
  await promiseMissing(tx, 'superviseSession', {
    which,
    signal: 'statusChanged',
    priority: PRIORITY.background,
    movedAt: null,
  });
}
