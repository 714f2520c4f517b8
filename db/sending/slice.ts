import { sql } from 'kysely';
import { promise } from '../promises.ts';
import { run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

/**
 * Promises an execution of its own to each of these messages of a slice. The slice was the first attempt to hand them
 * over, so the dispatcher does not put them into a slice again.
 */
export async function leaveSlice(
  tx: Tx,
  messageIds: readonly string[],
  { delayMs }: { delayMs: number },
): Promise<void> {
  const which = sql`r.id = any(${messageIds}::text[])`;
  await run(tx)`update message r set slice = null where ${which} and slice is not null`;
  await promise(tx, 'deliverMessage', { which, delayMs, attempts: 1 });
}
