import { IdRow } from '../columns.ts';
import type { Tx } from '../tx.ts';
import { rows, run } from '../rows.ts';
import { deleteMemoriesOf, lockMemoriesOf } from '../agent/forget-memory.ts';
import { forgetRehearsalsOf } from '../agent/rehearsal.ts';

/**
 * Records that the sender has deleted a message for everybody. The inbox keeps the message, but the agent no longer
 * reads it and forgets what it learned from it. The revocation of a message that has not come yet is kept until the
 * message comes. Safe to repeat.
 */
export async function applyRevoke(tx: Tx, sessionId: string, networkId: string): Promise<void> {
  const known = await rows(tx, IdRow)`
    select id from message
    where session_id = ${sessionId} and network_id = ${networkId} and direction in ('in', 'out')
      and revoked_at is null`;
  if (known.length === 0) return park(tx, sessionId, networkId);
  const ids = known.map(({ id }) => id);
  await lockMemoriesOf(tx, ids);
  await run(tx)`update message set revoked_at = ${tx.now} where id = any(${ids}::text[]) and revoked_at is null`;
  await deleteMemoriesOf(tx, ids);
  await forgetRehearsalsOf(tx, ids);
}

async function park(tx: Tx, sessionId: string, networkId: string): Promise<void> {
  await run(tx)`
    insert into parked_revoke (session_id, network_id, at)
    select ${sessionId}, ${networkId}, ${tx.now} where not exists (select 1 from message
      where session_id = ${sessionId} and network_id = ${networkId} and direction in ('in', 'out'))
    on conflict do nothing`;
}
