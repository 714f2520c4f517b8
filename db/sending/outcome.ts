import { z } from 'zod';
import type { EndReason } from '../../domain/sending/reasons.ts';
import type { LostCause } from '../../domain/sending/message-state.ts';
import { emitAck, EndedMessage, MOVED_COLUMNS, MovedMessage } from './acks/event.ts';
import { keyOfAck, lockAcked, moveByParkedAcks, parkAck, ParkedLevel, recordAckError } from './acks/acks.ts';
import type { AckOf } from './acks/acks.ts';
import { raise, writeRaises } from './acks/raise.ts';
import type { Raise } from './acks/raise.ts';
import { cancelAttachments } from './attachments.ts';
import type { Tx } from '../engine/tx.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { one, row, run } from '../engine/rows.ts';
import { IdOwner, loseNetworkId, SHOWN_BY_NETWORK } from './id-owner.ts';
import { returnSlots } from './pace.ts';
import { promote, Promoted, wakePromoted } from './promote.ts';
import { takeBackReport } from './taken-back.ts';
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

const Recorded = z.object({
  outcome: z.literal('recorded'),
  message: MovedMessage,
  /** Acks that were faster than the backend's answer. */
  acks: z.array(ParkedLevel),
  /** Null where acks must be applied before the next message may go. */
  promoted: Promoted.nullable(),
  /** A contact's message has the network's id of the send. */
  hasReport: z.boolean(),
});
const RecordAnswer = z.object({
  result: z.discriminatedUnion('outcome', [
    Recorded,
    z.object({ outcome: z.literal('id_taken'), owner: IdOwner }),
    z.object({ outcome: z.literal('not_ours') }),
  ]),
});

/**
 * Records that the backend has taken the message (`record_sent` in `record.sql`). It applies acks that were faster than
 * the answer, deletes the echo that was parked as a person's own message, and lets the next message go. Returns the
 * message's new state, or null when the claim is no longer ours.
 */
export async function recordSent(tx: Tx, sent: Sent): Promise<MovedMessage | null> {
  let recorded = await callRecord(tx, sent, true);
  if (recorded.outcome === 'id_taken') {
    const { owner } = recorded;
    if (sent.isShown) return null;
    if (owner.isShown) await loseNetworkId(tx, owner);
    // A backend that answers the same id for two sends has sent both; the first keeps the id and the second has none.
    recorded = await callRecord(tx, sent, owner.isShown);
  }
  if (recorded.outcome !== 'recorded') return null;
  const { message, acks, promoted, hasReport } = recorded;
  if (hasReport) await takeBackReport(tx, { ...sent, sessionId: message.sessionId });
  emitAck(tx, message, 'sent');
  if (promoted === null) {
    await moveByParkedAcks(tx, message, acks);
    await promote(tx, message.conversationId);
  } else wakePromoted(tx, promoted, message.sessionId);
  if (sent.token === null) await tellWorkflow(tx, message);
  tx.wake('message', message.id);
  return message;
}

const sentJson = jsonParameter(
  {
    messageId: true,
    conversationId: true,
    token: true,
    networkId: true,
    binds: true,
    renderedAs: true,
    reason: true,
    shown: true,
    now: true,
  },
  'record_sent.p',
);

async function callRecord(
  tx: Tx,
  { messageId, conversationId, token, networkId, isShown, renderedAs }: Sent,
  binds: boolean,
): Promise<z.infer<typeof RecordAnswer>['result']> {
  const reason = isShown === true ? SHOWN_BY_NETWORK : undefined;
  const ours = { messageId, conversationId, token, networkId, binds, renderedAs, reason };
  const parameters = { ...ours, shown: SHOWN_BY_NETWORK, now: tx.now };
  const { result } = await one(tx, RecordAnswer)`
    select record_sent(${sentJson(parameters)}::jsonb) as result`;
  return result;
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
 * Applies acks of the network to their messages in this order, or parks them until their messages are known. An ack
 * proves that an uncertain message was sent when the message went under the ack's id. Acks that only raise levels are
 * two statements, however many there are. `before` is called before each ack is told of.
 */
export async function applyAcks(tx: Tx, acks: readonly AckOf[], before?: (ack: AckOf) => Promise<void>): Promise<void> {
  if (acks.length === 0) return;
  const known = await lockAcked(tx, acks);
  let raises: Raise[] = [];
  for (const [index, ack] of acks.entries()) {
    await before?.(ack);
    const message = known.get(keyOfAck(ack));
    if (message && ack.level !== -1) {
      raises.push(...raise(tx, message, ack.level));
      continue;
    }
    await writeRaises(tx, raises);
    raises = [];
    if (message) await recordAckError(tx, message, ack.error);
    // The later acks may be of the message that has become known.
    else if (await parkOrShow(tx, ack)) return applyAcks(tx, acks.slice(index + 1), before);
  }
  await writeRaises(tx, raises);
}

/** Parks an ack. True when it has shown that an uncertain message was sent; then the ack is applied, too. */
async function parkOrShow(tx: Tx, ack: AckOf): Promise<boolean> {
  const { sessionId, networkId } = ack;
  await parkAck(tx, sessionId, ack);
  const shown = await row(tx, ShownByAck)`
    select id as "messageId", conversation_id as "conversationId" from message
    where session_id = ${sessionId} and may_be_shown(status, error_code, network_id)
      and chosen_network_id = ${networkId}`;
  // `recordSent` also applies the parked ack.
  return shown !== undefined && (await recordSent(tx, { ...shown, token: null, networkId, isShown: true })) !== null;
}
