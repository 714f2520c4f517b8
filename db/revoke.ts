import { sql } from 'kysely';
import type { Tx } from './database.ts';
import { deleteMemoriesOf, lockMemoriesOf } from './forget-memory.ts';
import { forgetRehearsalsOf } from './rehearsal.ts';

/**
 * Its sender took the message back: it stays in the inbox as what was said, but the agent no longer reads it, and what was
 * learned from it goes. Safe to repeat.
 */
export async function applyRevoke(tx: Tx, sessionId: string, networkId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from message
    where session_id = ${sessionId} and network_id = ${networkId} and direction in ('in', 'out') and revoked_at is null`.execute(
    tx.sql,
  );
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await lockMemoriesOf(tx, ids);
  await sql`update message set revoked_at = ${tx.now} where id = any(${ids}::text[]) and revoked_at is null`.execute(
    tx.sql,
  );
  await deleteMemoriesOf(tx, ids);
  await forgetRehearsalsOf(tx, ids);
}
