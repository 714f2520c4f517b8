import { sql } from 'kysely';
import type { NetworkMessage } from '../domain/network-event.ts';
import { conversationOf, insertNetworkMessage, occurredAt } from './ingest.ts';
import { resolveUncertain } from './open-send.ts';
import { recordLastMessage } from './conversation.ts';
import type { Queries, Tx } from './database.ts';
import { findSessionById } from './session.ts';

/** How long an own message of unknown id waits for a send of ours to turn out to be it. */
const ADOPT_AFTER_MS = 10_000;

interface Parked {
  sessionId: string;
  networkId: string;
  message: NetworkMessage;
}

/**
 * Own messages that no send of ours has claimed in time were written by a person on the phone. Those that may be the
 * echo of a send under way stay parked; one that shows an uncertain send settles it.
 */
export async function adoptOwnMessages(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<Parked>`
    delete from parked_own_message where (session_id, network_id) in (
      select p.session_id, p.network_id from parked_own_message p
      where p.parked_at < clock_timestamp() - ${ADOPT_AFTER_MS} * interval '1 millisecond'
        and not exists (
          select 1 from message m where m.session_id = p.session_id
            and (m.conversation_id = p.conversation_id or m.body = p.message->>'body' or m.chosen_network_id = p.network_id)
            and m.status = 'sending')
      order by p.parked_at limit ${limit} for update skip locked)
    returning session_id as "sessionId", network_id as "networkId", message`.execute(tx.sql);
  for (const { sessionId, message } of rows) {
    const session = await findSessionById(tx, sessionId);
    if (!session) continue;
    const conversation = await conversationOf(tx, session, message);
    if (await resolveUncertain(tx, session.id, conversation.id, message)) continue;
    const id = await insertNetworkMessage(tx, session, conversation, message, 'phone');
    if (id === null) continue;
    const at = occurredAt(message, tx.now);
    await recordLastMessage(tx, conversation.id, { id, body: message.body, fromMe: true, at, unread: 0 });
  }
  return rows.length;
}

/** Own messages that are nobody's yet and may be this send, also under another address of its chat. */
export async function listParkedOwnMessages(
  queries: Queries,
  send: { sessionId: string; conversationId: string; body: string; chosenNetworkId: string | null },
): Promise<NetworkMessage[]> {
  const { rows } = await sql<{ message: NetworkMessage }>`
    select message from parked_own_message
    where session_id = ${send.sessionId} and (conversation_id = ${send.conversationId}
      or network_id = ${send.chosenNetworkId} or message->>'body' = ${send.body})
    order by parked_at`.execute(queries.sql);
  return rows.map((row) => row.message);
}

/** Which of these network ids belong to another send of ours already: they never match this one. */
export async function listBoundNetworkIds(
  queries: Queries,
  sessionId: string,
  networkIds: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select network_id as id from message
    where session_id = ${sessionId} and direction = 'out' and network_id = any(${networkIds})
      and origin in ('api', 'person', 'ai')`.execute(queries.sql);
  return new Set(rows.map((row) => row.id));
}
