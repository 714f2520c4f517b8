import { run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

/**
 * Notes when a worker began sends that it puts off, such as those whose account has no free place. The claim notes a
 * send that goes. The first worker counts, because a send waits for other things after it.
 */
export async function noteTaken(tx: Tx, messageIds: readonly string[], takenForMs: number): Promise<void> {
  await run(tx)`
    with waiting as (
      -- A message that another transaction has locked is being claimed or ended.
      select id from message
      where id = any(${messageIds}::text[]) and status = 'queued' and released_at is not null and attempts = 0
        and taken_at is null
      order by id for no key update skip locked
    )
    update message m set taken_at = ${tx.now}::timestamptz - ${takenForMs}::float8 * interval '1 millisecond'
    from waiting where m.id = waiting.id`;
}
