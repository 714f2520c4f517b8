import { emitAck, EndedMessage, MOVED_COLUMNS } from './acks/event.ts';
import type { MovedMessage } from './acks/event.ts';
import type { Tx } from '../engine/tx.ts';
import { rows } from '../engine/rows.ts';
import { returnSlots } from './pace.ts';
import { tellWorkflow } from './tell-workflow.ts';

/**
 * Cancels the attachments of a text that failed, because without the text they say something else. Needs the
 * conversation's lock. An attachment may have been released before the text failed, or while its outcome was open; such
 * an attachment has a workflow, and the workflow is told.
 */
export async function cancelAttachments(tx: Tx, text: MovedMessage): Promise<number> {
  if (text.kind !== 'text') return 0;
  const attachments = await rows(tx, EndedMessage)`
    with ended as (
      update message set status = 'cancelled', error_code = 'text_failed', ended_at = ${tx.now}, updated_at = ${tx.now}
      where request_id = ${text.id} and id <> ${text.id} and status in ('queued', 'scheduled') returning *
    ), history as (
      insert into message_history (message_id, at, status, reason)
      select id, ${tx.now}, 'cancelled', 'text_failed' from ended order by chat_seq
    )
    select ${MOVED_COLUMNS}, (m.released_at is not null or m.attempts > 0) as begun,
      m.released_at is not null as "holdsSlot"
    from ended m join conversation c on c.id = m.conversation_id order by m.chat_seq`;
  for (const attachment of attachments) {
    emitAck(tx, attachment, 'cancelled', 'text_failed');
    if (attachment.begun) await tellWorkflow(tx, attachment);
    tx.wake('message', attachment.id);
  }
  const released = attachments.filter(({ holdsSlot }) => holdsSlot).map(({ id }) => id);
  if (released.length > 0) await returnSlots(tx, released);
  return attachments.length;
}
