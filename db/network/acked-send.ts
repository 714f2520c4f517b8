import { z } from 'zod';
import { UNCERTAIN_OPEN_MS } from '../../domain/sending/message-state.ts';
import type { Queries } from '../engine/tx.ts';
import { rows } from '../engine/rows.ts';
import type { Message } from '../conversations/message.ts';

/** The level of the ack that the network's server gives a message once, when it has just received the message. */
const SERVER = 1;

const AckedId = z.object({ networkId: z.string(), chatId: z.string() });
export type AckedId = z.infer<typeof AckedId>;

/**
 * Finds the network id that the server has acked in the send's chat since the send's claim, by our clock, and that
 * belongs to no message we know. If neither reads nor echoes show the send, this id must be the send's. Null when there
 * is no such id or several, and when another send of this kind is uncertain in the chat.
 */
export async function findAckedId(queries: Queries, send: Message): Promise<AckedId | null> {
  const { id, sessionId, conversationId, claimedAt } = send;
  const [acked, other] = await rows(queries, AckedId)`
    with address as (
      select chat_id from conversation where id = ${conversationId}
      union
      select a.chat_id from conversation c join contact_alias a on a.contact_id = c.contact_id
      where c.id = ${conversationId}
    )
    select p.network_id as "networkId", p.chat_id as "chatId" from parked_ack p
    where p.session_id = ${sessionId} and p.level = ${SERVER} and p.at >= ${claimedAt ?? null}
      and p.chat_id in (select chat_id from address)
      and not exists (select 1 from parked_own_message o
        where o.session_id = p.session_id and o.network_id = p.network_id)
      and not exists (select 1 from message m where m.session_id = p.session_id and m.direction = 'out'
        and m.network_id = p.network_id)
      and not exists (select 1 from message m where m.session_id = p.session_id and m.status in ('sending', 'uncertain')
        and m.chosen_network_id = p.network_id and m.id <> ${id})
      and not exists (select 1 from message r where r.conversation_id = ${conversationId} and r.id <> ${id}
        and r.kind in ('buttons', 'list') and r.status = 'uncertain'
        and r.ended_at > ${queries.now}::timestamptz - ${UNCERTAIN_OPEN_MS} * interval '1 millisecond')
    limit 2`;
  return acked && !other ? acked : null;
}
