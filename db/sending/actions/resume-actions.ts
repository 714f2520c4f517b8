import { sql } from 'kysely';
import { promise } from '../../promises.ts';
import type { Tx } from '../../engine/tx.ts';

/** Hints that the session is back at the workflows of messages to which something is to be done. */
export async function resumeActions(tx: Tx, sessionId: string): Promise<void> {
  await promise(tx, 'actOnMessage', {
    which: sql`r.id in (select message_id from message_action
      where session_id = ${sessionId} and ended_at is null)`,
    signal: 'due',
  });
}
