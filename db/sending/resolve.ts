import { z } from 'zod';
import { MessageStatus } from '../../domain/sending/message.ts';
import type { Resolution } from '../../domain/sending/resolution.ts';
import type { SendAcceptance } from './accept.ts';
import { emitAck, MOVED_COLUMNS, MovedMessage } from './acks/event.ts';
import { applyParkedAcks } from './acks/acks.ts';
import { cancelAttachments } from './attachments.ts';
import { lockConversation } from '../conversations/conversation.ts';
import type { Tx } from '../engine/tx.ts';
import { row, run } from '../engine/rows.ts';
import { findMessageById } from '../conversations/message.ts';
import type { Message } from '../conversations/message.ts';
import { promote } from './promote.ts';
import { sendAgain } from './repeat/resend.ts';
import { tellWorkflow } from './tell-workflow.ts';

export type Resolved =
  | { outcome: 'resolved'; status: MessageStatus; resentAs: string | null; resent?: SendAcceptance | undefined }
  /** The message is not uncertain, and it was not resolved by the same actor with the same verdict before. */
  | { outcome: 'refused'; status: string };

/** The history's reason for all three verdicts. */
const REASON = 'resolved_by_operator';

/**
 * Records the verdict of a person who has looked into the chat on an uncertain message. The same verdict again gets the
 * same answer. `byWorkflow` is true when the message's own workflow asks, so it need not be told.
 */
export async function resolveMessage(
  tx: Tx,
  messageId: string,
  resolution: Resolution,
  { byWorkflow, keyId }: { byWorkflow: boolean; keyId?: string },
): Promise<Resolved> {
  const known = await findMessageById(tx, messageId);
  if (!known) return { outcome: 'refused', status: 'unknown' };
  await lockConversation(tx, known.conversationId);
  const moved =
    resolution.outcome === 'sent' ? await markSent(tx, messageId) : await markFailed(tx, messageId, resolution);
  if (!moved) return earlier(tx, known, resolution);
  await run(tx)`
    insert into message_history (message_id, at, status, reason, detail, actor, key_id)
    values (${messageId}, ${tx.now}, ${moved.status}, ${REASON}, ${resolution.reason}, ${resolution.actor},
      ${keyId ?? null})`;
  if (resolution.outcome === 'sent') {
    emitAck(tx, moved, 'sent');
    if (moved.networkId !== null) await applyParkedAcks(tx, moved, moved.networkId);
  } else {
    emitAck(tx, moved, 'failed', REASON);
    // The cancelled attachments may have been the heads of the queue, so the next message is let go.
    if (resolution.outcome === 'failed' && (await cancelAttachments(tx, moved)) > 0) {
      await promote(tx, moved.conversationId);
    }
  }
  const resent = resolution.outcome === 'resend' ? await sendAgain(tx, known) : undefined;
  if (!byWorkflow) await tellWorkflow(tx, moved);
  tx.wake('message', messageId);
  return { outcome: 'resolved', status: moved.status, resentAs: resent?.messageId ?? null, resent };
}

const Moved = MovedMessage.extend({ networkId: z.string().nullable() });
type Moved = z.infer<typeof Moved>;

/**
 * Marks the message as sent, and gives it the network id under which it certainly went, if there is one, so that later
 * acks find it.
 */
async function markSent(tx: Tx, messageId: string): Promise<Moved | undefined> {
  return row(tx, Moved)`
    with sent as (
      update message m set status = 'sent', sent_at = coalesce(m.claimed_at, ${tx.now}), ack = greatest(m.ack, 0),
        error_code = null, error_detail = null, updated_at = ${tx.now},
        network_id = case when (m.kind = 'text' or m.rendered_as = 'text')
          and not exists (select 1 from message o where o.session_id = m.session_id and o.direction = 'out'
          and o.network_id = m.chosen_network_id) then m.chosen_network_id end
      where m.id = ${messageId} and m.status = 'uncertain' returning *
    )
    select ${MOVED_COLUMNS}, m.network_id as "networkId" from sent m join conversation c on c.id = m.conversation_id`;
}

async function markFailed(tx: Tx, messageId: string, { reason }: Resolution): Promise<Moved | undefined> {
  return row(tx, Moved)`
    with failed as (
      update message set status = 'failed', error_code = ${REASON}, error_detail = ${reason}, updated_at = ${tx.now}
      where id = ${messageId} and status = 'uncertain' returning *
    )
    select ${MOVED_COLUMNS}, m.network_id as "networkId" from failed m join conversation c on c.id = m.conversation_id`;
}

const Earlier = z.object({ status: MessageStatus, resentAs: z.string().nullable() });

/**
 * Repeats the answer to a verdict that is given again. The message that was sent in place of this one is recognised by
 * the time of the verdict.
 */
async function earlier(
  tx: Tx,
  { id, status, conversationId }: Message,
  { outcome, actor }: Resolution,
): Promise<Resolved> {
  const before = await row(tx, Earlier)`
    select h.status, (select r.id from message r
      where r.conversation_id = ${conversationId} and r.resend_of = ${id} and r.created_at = h.at
      order by r.id limit 1) as "resentAs"
    from message_history h where h.message_id = ${id} and h.reason = ${REASON} and h.actor = ${actor} limit 1`;
  const same =
    before !== undefined &&
    (before.status === 'sent') === (outcome === 'sent') &&
    (before.resentAs !== null) === (outcome === 'resend');
  return same ? { outcome: 'resolved', ...before } : { outcome: 'refused', status };
}
