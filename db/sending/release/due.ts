import { z } from 'zod';
import { Timestamp } from '../../engine/columns.ts';
import { one } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';

/** Bounds the sessions that one process takes at once, so that other processes take the rest. */
const MAX_TAKEN = 20;

const Taken = z.object({
  sessions: z.array(z.string()),
  nextAt: Timestamp.nullable(),
  scheduledAt: Timestamp.nullable(),
});
export type Taken = z.infer<typeof Taken>;
const Answer = z.object({ result: Taken });

/**
 * Takes sessions that are due for this process alone, and answers when the next session and the next scheduled message
 * are due (`release-at.sql`). The caller releases the heads of what it has taken.
 */
export async function takeDueSessions(tx: Tx): Promise<Taken> {
  const { result } = await one(tx, Answer)`
    select take_due_sessions(${tx.now}, ${MAX_TAKEN}) as result`;
  return result;
}

const Missed = z.object({ found: z.int(), last: z.string().nullable() });
const MissedAnswer = z.object({ result: Missed });

/**
 * Makes sessions due whose heads wait although nothing would look at them (`release-at.sql`). Looks at `limit` sessions
 * after `after`; `last` is null when those were the last.
 */
export async function findMissedReleases(tx: Tx, limit: number, after: string): Promise<z.infer<typeof Missed>> {
  const { result } = await one(tx, MissedAnswer)`
    select find_missed_releases(${after}, ${limit}, ${tx.now}) as result`;
  return result;
}
