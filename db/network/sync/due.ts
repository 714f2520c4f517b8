import { sql } from 'kysely';
import { z } from 'zod';
import { PRIORITY } from '../../../domain/names.ts';
import { LATE_AFTER_MS } from '../../../domain/sessions/history-sync.ts';
import { WORKING } from '../../../domain/sessions/session.ts';
import { promiseMissing } from '../../promises.ts';
import { rows } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { PROMISED_AGAIN_AFTER_MS } from './want.ts';

const Due = z.object({ id: z.string(), works: z.boolean() });

/** One look promises this many; the next one takes the rest. */
const AT_ONCE = 500;
/** A session that does not work is asked for this much later; it is read in any case when it comes back. */
const AWAY_MS = 60 * 60_000;

/**
 * Promises the runs that are due: the next one of an account, or one that goes on and of which nothing was heard for a
 * while, because its execution may be lost.
 */
export async function promiseDueSyncs(tx: Tx): Promise<number> {
  const due = await rows(tx, Due)`
    with due as (
      select h.session_id, s.status = ${WORKING} and s.wish = 'running' as works
      from history_sync h join session s on s.id = h.session_id
      where h.next_at <= ${tx.now} order by h.next_at limit ${AT_ONCE} for no key update of h skip locked
    )
    update history_sync h set
      next_at = ${tx.now}::timestamptz
        + case when d.works then ${PROMISED_AGAIN_AFTER_MS}::integer else ${AWAY_MS}::integer end
          * interval '1 millisecond',
      wanted = case when d.works and h.wanted is null and h.finished_at is not null
        then case when h.late < ${LATE_AFTER_MS.length} then 'late' else 'scheduled' end else h.wanted end,
      wanted_pages = case when h.wanted is null then null else h.wanted_pages end
    from due d where h.session_id = d.session_id
    returning h.session_id as id, d.works`;
  const working = due.filter(({ works }) => works).map(({ id }) => id);
  if (working.length === 0) return 0;
  return promiseMissing(tx, 'syncHistory', {
    which: sql`r.id = any(${working}::text[])`,
    priority: PRIORITY.background,
    movedAt: null,
  });
}
