import { z } from 'zod';
import { lockConversation } from '../conversations/conversation.ts';
import { showNewest } from '../conversations/newest-line.ts';
import { deleteMessageRows, forgetUnread } from '../conversations/delete-messages.ts';
import { row, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

const Mistaken = z.object({ id: z.string(), conversationId: z.string() });

/**
 * Takes back a contact's message that was this send: the backend reported the echo as the contact's, and the answer of
 * the send came when the wait for it had ended (`db/network/held-report.ts`). The row goes, and its id leads to the
 * send. Events that it caused were told, and a turn or a run that it began goes on: nothing can undo those. One that
 * was here before the send's claim is the contact's, whatever id the backend answers. Needs the lock of the send's
 * conversation.
 */
export async function takeBackReport(
  tx: Tx,
  { messageId, sessionId, networkId }: { messageId: string; sessionId: string; networkId: string },
): Promise<void> {
  const mistaken = await row(tx, Mistaken)`
    select i.id, i.conversation_id as "conversationId" from message i join message s on s.id = ${messageId}
    where i.network_id = ${networkId} and i.session_id = ${sessionId} and i.direction = 'in'
      and coalesce(i.created_at >= s.claimed_at, true)`;
  if (!mistaken) return;
  const conversationId = await lockConversation(tx, mistaken.conversationId);
  await forgetUnread(tx, [mistaken.id]);
  await run(tx)`
    with led as (
      update message_alias set message_id = ${messageId} where message_id = ${mistaken.id}
    ), alias as (
      insert into message_alias (id, agency_id, tenant_id, message_id)
      select ${mistaken.id}, agency_id, tenant_id, id from message where id = ${messageId}
    )
    update memory set evidence_message_id = ${messageId} where evidence_message_id = ${mistaken.id}`;
  await deleteMessageRows(tx, [mistaken.id]);
  await showNewest(tx, conversationId);
  tx.wake('changed');
}
