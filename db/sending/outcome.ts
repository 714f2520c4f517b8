import { sql } from 'kysely';
import { z } from 'zod';
import type { EndReason } from '../../domain/sending/message.ts';
import type { LostCause } from '../../domain/sending/message-state.ts';
import { emitAck, EndedMessage, MOVED_COLUMNS, MovedMessage } from './acks/event.ts';
import { applyParkedAcks, lockByNetworkId, moveByAck, parkAck } from './acks/acks.ts';
import type { AckMoved, NetworkAck } from './acks/acks.ts';
import { cancelAttachments } from './attachments.ts';
import { lockConversation } from '../conversations/conversation.ts';
import type { Tx } from '../tx.ts';
import { row, run } from '../rows.ts';
import { freeNetworkId, loseNetworkId, SHOWN_BY_NETWORK } from './id-owner.ts';
import { returnSlots } from './pace.ts';
import { promote } from './promote.ts';
import { tellWorkflow } from './tell-workflow.ts';

export interface Sent {
  messageId: string;
  conversationId: string;
  /**
   * The token of the claim under which the message was sent; null when the network shows a send of unknown outcome
   * after all.
   */
  token: string | null;
  networkId: string;
  /** True when the call was not answered and the send was recognised among the messages that the network shows. */
  isShown?: boolean;
  /** The form in which the contact sees an interactive message, if known. */
  renderedAs?: 'native' | 'text' | undefined;
}

/**
 * An SQL condition for messages that may have gone out: the network may yet show such a message, even after an operator
 * has given it up.
 */
export const MAY_BE_SHOWN = sql`(status = 'uncertain'
  or (status = 'failed' and error_code = 'resolved_by_operator' and network_id is null))`;

/**
 * Records that the backend has taken the message. It applies acks that were faster than the answer, and deletes the
 * echo that was parked as a person's own message. Returns the message's new state, or null when the claim is no longer
 * ours.
 */
export async function recordSent(tx: Tx, sent: Sent): Promise<MovedMessage | null> {
  await lockConversation(tx, sent.conversationId);
  const owner = await freeNetworkId(tx, sent);
  if (owner && sent.isShown) return null;
  if (owner?.isShown) await loseNetworkId(tx, owner);
  // A backend that answers the same id for two sends has sent both; the first keeps the id and the second has none.
  const networkId = owner && !owner.isShown ? null : sent.networkId;
  const message = await row(tx, MovedMessage)`
    with sent as (
      update message set status = 'sent', network_id = ${networkId}, sent_at = ${tx.now}, ended_at = ${tx.now},
        ack = greatest(ack, 0), lost_at = null, lost_cause = null,
        rendered_as = coalesce(${sent.renderedAs ?? null}, rendered_as),
        error_code = null, error_detail = null, updated_at = ${tx.now}
      where id = ${sent.messageId} and ((status = 'sending' and claim_token = ${sent.token})
        or (${MAY_BE_SHOWN} and ${sent.token}::uuid is null)) returning *
    ), history as (
      insert into message_history (message_id, at, status, reason)
      select id, ${tx.now}, 'sent', ${sent.isShown ? SHOWN_BY_NETWORK : null} from sent
    ), echo as (
      delete from parked_own_message p using sent
      where p.session_id = sent.session_id and p.network_id = ${sent.networkId}
    ), met as (
      update conversation k set contacted = true from sent where k.id = sent.conversation_id and not k.contacted
    )
    select ${MOVED_COLUMNS} from sent m join conversation c on c.id = m.conversation_id`;
  if (!message) return null;
  emitAck(tx, message, 'sent');
  if (networkId !== null) await applyParkedAcks(tx, message, networkId);
  await promote(tx, message.conversationId);
  if (sent.token === null) await tellWorkflow(tx, message);
  tx.wake('message', message.id);
  return message;
}

export interface End {
  status: 'failed' | 'cancelled' | 'uncertain';
  reason: EndReason;
  detail: string | null;
  /**
   * The token of the attempt that ends the message, if there was one: after its claim was given back, the attempt may
   * not end the message.
   */
  token?: string;
  /** The operator or dashboard's user who asked for the end, if one did. */
  actor?: string;
  /** True where the message's own workflow ends it and so need not be told. */
  byWorkflow?: boolean;
}

/**
 * Ends a message that was not sent (or may have been: `uncertain`), tells the dashboard, and lets the next message go.
 * Needs the conversation's lock. False when the message has been claimed by another attempt or has ended.
 */
export async function endMessage(tx: Tx, messageId: string, end: End): Promise<boolean> {
  const message = await row(tx, EndedMessage)`
    with ended as (
      update message set status = ${end.status}, error_code = ${end.reason}, error_detail = ${end.detail},
        ended_at = ${tx.now}, updated_at = ${tx.now}
      where id = ${messageId} and (case when ${end.token ?? null}::uuid is null then status in ('queued', 'scheduled')
        else status = 'sending' and claim_token = ${end.token ?? null} end)
      returning *
    ), history as (
      insert into message_history (message_id, at, status, reason, detail, actor)
      select id, ${tx.now}, ${end.status}, ${end.reason}, ${end.detail}, ${end.actor ?? null} from ended
    )
    select ${MOVED_COLUMNS}, (m.released_at is not null or m.attempts > 0) as begun,
      (m.claim_token is null and m.released_at is not null) as "holdsSlot"
    from ended m join conversation c on c.id = m.conversation_id`;
  if (!message) return false;
  emitAck(tx, message, end.status, end.reason);
  // A request that cancels a text lists the attachments to cancel itself, so none is cancelled here.
  if (end.status !== 'uncertain' && end.reason !== 'cancelled_by_request') await cancelAttachments(tx, message);
  await promote(tx, message.conversationId);
  if (message.holdsSlot) await returnSlots(tx, [messageId]);
  if (message.begun && end.byWorkflow !== true) await tellWorkflow(tx, message);
  tx.wake('message', messageId);
  return true;
}

/**
 * Records that the call was made and its outcome is unknown. From now on time passes until the message may count as
 * certainly absent.
 */
export async function markLost(
  tx: Tx,
  messageId: string,
  token: string,
  cause: LostCause,
  renderedAs?: 'native' | 'text',
): Promise<void> {
  await run(tx)`
    with was as (
      select id, lost_at from message
      where id = ${messageId} and status = 'sending' and claim_token = ${token} for no key update
    ), lost as (
      update message m set lost_at = coalesce(m.lost_at, ${tx.now}), lost_cause = coalesce(m.lost_cause, ${cause}),
        rendered_as = coalesce(m.rendered_as, ${renderedAs ?? null}), updated_at = ${tx.now}
      from was where m.id = was.id
    )
    insert into message_history (message_id, at, status, reason, detail)
    select id, ${tx.now}, 'sending', 'settling', ${cause} from was where lost_at is null`;
  tx.wake('message', messageId);
}

const ShownByAck = z.object({ messageId: z.string(), conversationId: z.string() });

/**
 * Applies one ack of the network to its message, or parks the ack until its message is known. An ack proves that an
 * uncertain message was sent when the message went under the ack's id. Returns the message whose state the ack moved.
 */
export async function applyAck(tx: Tx, sessionId: string, ack: NetworkAck): Promise<AckMoved | undefined> {
  const message = await lockByNetworkId(tx, sessionId, ack.networkId);
  if (message) return moveByAck(tx, message, ack);
  await parkAck(tx, sessionId, ack);
  const shown = await row(tx, ShownByAck)`
    select id as "messageId", conversation_id as "conversationId" from message
    where session_id = ${sessionId} and ${MAY_BE_SHOWN} and chosen_network_id = ${ack.networkId}`;
  // `recordSent` also applies the parked ack.
  if (shown) await recordSent(tx, { ...shown, token: null, networkId: ack.networkId, isShown: true });
  return undefined;
}
