import { sql } from 'kysely';
import type { Tx } from './database.ts';
import { deleteMemoriesOf } from './memory.ts';

/**
 * Its sender took the message back: it stays in the inbox as what was said, but the agent no longer reads it, and what was
 * learned from it goes. Safe to repeat.
 */
export async function applyRevoke(tx: Tx, sessionId: string, networkId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update message set revoked_at = ${tx.now}
    where session_id = ${sessionId} and network_id = ${networkId} and direction in ('in', 'out') and revoked_at is null
    returning id`.execute(tx.sql);
  if (rows.length === 0) return;
  await deleteMemoriesOf(
    tx,
    rows.map(({ id }) => id),
  );
}
