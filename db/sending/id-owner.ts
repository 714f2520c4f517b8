import { z } from 'zod';
import { emitAck, MOVED_COLUMNS, MovedMessage } from './acks/event.ts';
import { lockConversation } from '../conversations/conversation.ts';
import type { Tx } from '../tx.ts';
import { row } from '../rows.ts';
import { tellWorkflow } from './tell-workflow.ts';

/** The history's reason for a send whose call was not answered and which the network shows. */
export const SHOWN_BY_NETWORK = 'shown_by_network';

/**
 * Another send of ours that has the network id. `isShown` is true when it got the id because it resembled a message
 * that the network showed.
 */
const IdOwner = z.object({ messageId: z.string(), conversationId: z.string(), isShown: z.boolean() });
export type IdOwner = z.infer<typeof IdOwner>;

/**
 * Frees the network id for a send: deletes the echo that was recorded as a person's own message. Returns another send
 * of ours that has the id, if there is one.
 */
export async function freeNetworkId(
  tx: Tx,
  { messageId, networkId }: { messageId: string; networkId: string },
): Promise<IdOwner | undefined> {
  return row(tx, IdOwner)`
    with same as (
      select id, conversation_id, origin from message
      where session_id = (select session_id from message where id = ${messageId}) and direction = 'out'
        and network_id = ${networkId} and id <> ${messageId}
    ), echo as (
      delete from message m using same where m.id = same.id and not is_sent_by_engine(m.origin)
    ), evidence as (
      -- The echo was this send, so memories that rest on the echo rest on the send from now on.
      update memory e set evidence_message_id = ${messageId} from same
      where e.evidence_message_id = same.id and not is_sent_by_engine(same.origin)
    )
    select id as "messageId", conversation_id as "conversationId", coalesce((select h.reason from message_history h
      where h.message_id = same.id and h.status = 'sent' order by h.id desc limit 1) = ${SHOWN_BY_NETWORK},
        false) as "isShown"
    from same where is_sent_by_engine(origin)`;
}

/**
 * Takes the network id from a send because the id turned out to be another send's, so the outcome of this send is
 * unknown again. The send ends as uncertain and is not looked for again, because messages that came after it in its
 * chat may have gone out.
 */
export async function loseNetworkId(tx: Tx, owner: IdOwner): Promise<void> {
  await lockConversation(tx, owner.conversationId);
  const message = await row(tx, MovedMessage)`
    with lost as (
      update message set status = 'uncertain', network_id = null, ack = null, sent_at = null, delivered_at = null,
        read_at = null, played_at = null, ended_at = ${tx.now}, error_code = 'outcome_unknown', error_detail = null,
        updated_at = ${tx.now}
      where id = ${owner.messageId} and network_id is not null returning *
    ), history as (
      insert into message_history (message_id, at, status, reason, detail)
      select id, ${tx.now}, 'uncertain', 'outcome_unknown', 'its network id is another message''s' from lost
    )
    select ${MOVED_COLUMNS} from lost m join conversation c on c.id = m.conversation_id`;
  if (!message) return;
  emitAck(tx, message, 'uncertain', 'outcome_unknown');
  await tellWorkflow(tx, message);
  tx.wake('message', message.id);
}
