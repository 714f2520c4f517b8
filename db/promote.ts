import { sql } from 'kysely';
import { PRIORITY, SIGNALS, workflowId } from '../domain/names.ts';
import type { Tx } from './database.ts';

/** What `dispatch_messages` must know of names: they stay in `domain/names.ts`. */
export const DELIVERY_NAMES = JSON.stringify({
  type: 'deliverMessage',
  prefix: workflowId('deliverMessage', ''),
  priorities: { person: PRIORITY.reply, api: PRIORITY.api, ai: PRIORITY.ai },
});

/**
 * Releases the next message of a conversation when none is on its way: replies before bulk, first in first out within
 * a lane. Called, under the conversation's lock, by every transaction that adds to the queue or ends its head. A session
 * that may not send now holds its queue as rows; {@link releaseSession} lets it go.
 */
export async function promote(tx: Tx, conversationId: string): Promise<void> {
  const { rows } = await sql<{ released: number }>`
    select promote(${conversationId}, ${tx.now}, ${DELIVERY_NAMES}::jsonb) as released`.execute(tx.sql);
  if (rows[0]?.released) tx.wake('dispatch');
}

/**
 * Lets the queues of a session go that has come back: heads whose workflow may be waiting are signalled (and started
 * where it is gone), the others are released.
 */
export async function releaseSession(tx: Tx, sessionId: string): Promise<number> {
  const held = await sql<{ id: string }>`
    select id from conversation
    where id in (select conversation_id from message where session_id = ${sessionId} and status = 'queued')
    order by id for no key update`.execute(tx.sql);
  if (held.rows.length === 0) return 0;
  const ids = held.rows.map((row) => row.id);
  await sql`
    select dispatch_messages(array_agg(id), 'signal_with_start', ${SIGNALS.released}, ${DELIVERY_NAMES}::jsonb)
    from message where conversation_id = any(${ids}) and status = 'queued' and released_at is not null`.execute(tx.sql);
  for (const id of ids) await promote(tx, id);
  tx.wake('dispatch');
  return ids.length;
}
