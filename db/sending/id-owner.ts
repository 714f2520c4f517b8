import { z } from 'zod';
import { emitAck, MOVED_COLUMNS, MovedMessage } from './acks/event.ts';
import { lockConversation } from '../conversations/conversation.ts';
import type { Tx } from '../engine/tx.ts';
import { row } from '../engine/rows.ts';
import { tellWorkflow } from './tell-workflow.ts';

/** The history's reason for a send whose call was not answered and which the network shows. */
export const SHOWN_BY_NETWORK = 'shown_by_network';

/**
 * Another send of ours that has the network id. `isShown` is true when it got the id because it resembled a message
 * that the network showed.
 */
export const IdOwner = z.object({ messageId: z.string(), conversationId: z.string(), isShown: z.boolean() });
export type IdOwner = z.infer<typeof IdOwner>;

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
