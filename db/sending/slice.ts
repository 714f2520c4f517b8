import { sql } from 'kysely';
import { PRIORITY } from '../../domain/names.ts';
import { promise } from '../promises.ts';
import { run } from '../rows.ts';
import type { Tx } from '../tx.ts';

/**
 * Promises an execution of its own to each of these messages of a slice. The priority is lower than a broadcast's, by
 * which the dispatcher knows that these messages do not go into a slice again.
 */
export async function leaveSlice(
  tx: Tx,
  messageIds: readonly string[],
  { delayMs }: { delayMs: number },
): Promise<void> {
  const which = sql`r.id = any(${messageIds}::text[])`;
  await run(tx)`update message r set slice = null where ${which} and slice is not null`;
  await promise(tx, 'deliverMessage', { which, priority: PRIORITY.background, delayMs });
}
