import { sql } from 'kysely';
import { emitAck, MOVED_COLUMNS } from './ack-event.ts';
import type { MovedMessage } from './ack-event.ts';
import type { Tx } from './database.ts';

/**
 * A text that fails takes the attachments of its request with it: without it they say something else. Needs the
 * conversation's lock. They are behind it in the queue, so no workflow has begun with them.
 */
export async function cancelAttachments(tx: Tx, text: MovedMessage): Promise<number> {
  if (text.kind !== 'text') return 0;
  const { rows } = await sql<MovedMessage>`
    with ended as (
      update message set status = 'cancelled', error_code = 'text_failed', ended_at = ${tx.now}, updated_at = ${tx.now}
      where request_id = ${text.id} and id <> ${text.id} and status in ('queued', 'scheduled') returning *
    ), history as (
      insert into message_history (message_id, at, status, reason)
      select id, ${tx.now}, 'cancelled', 'text_failed' from ended order by chat_seq
    )
    select ${MOVED_COLUMNS} from ended m join conversation c on c.id = m.conversation_id order by m.chat_seq`.execute(
    tx.sql,
  );
  for (const attachment of rows) {
    emitAck(tx, attachment, 'cancelled', 'text_failed');
    tx.wake('message', attachment.id);
  }
  return rows.length;
}
