import { z } from 'zod';
import { PHONE_IS_LIVE_MS } from '../../domain/agent/turn.ts';
import { MessageContent } from '../../domain/sending/content.ts';
import { MessageKind } from '../../domain/sending/message-kind.ts';
import { MAX_CALL_MS } from '../../domain/sending/message-state.ts';
import { lockConversation } from '../conversations/conversation.ts';
import type { Tx } from '../engine/tx.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { one, row, run } from '../engine/rows.ts';
import { refundSlot } from './pace.ts';
import { phoneWaitMs } from './phone-wait.ts';

/** A claimed message, with what the call to the backend needs. */
const Claimed = z.object({
  claim: z.literal('claimed'),
  messageId: z.string(),
  sessionId: z.string(),
  backend: z.string(),
  sessionName: z.string(),
  conversationId: z.string(),
  chatId: z.string(),
  platform: z.string().nullable(),
  kind: MessageKind,
  text: z.string(),
  content: MessageContent.nullable(),
  /** True for a message of a broadcast, for whose delivery nobody waits. */
  bulk: z.boolean(),
  replyTo: z.object({ networkId: z.string(), fromMe: z.boolean() }).nullable(),
  /**
   * The network id that was chosen for the message. Every attempt uses it, so a late echo of an earlier attempt is
   * recognised, and the network may drop the second message.
   */
  networkId: z.string().nullable(),
});
export type Claimed = z.infer<typeof Claimed>;

/** The message may not go now and stays at the head of its queue. */
const NotNow = z.object({
  claim: z.literal('not_now'),
  reason: z.enum(['session_not_working', 'suspended', 'held', 'restricted']),
  /** The session whose slot was given back, which the releaser must hear of. */
  refundedSession: z.string().nullish(),
});

/** The message must not go out any more; the caller ends it under the conversation's lock. */
const Refused = z.object({
  claim: z.literal('refused'),
  conversationId: z.string(),
  status: z.enum(['cancelled', 'failed']),
  reason: z.enum(['taken_over', 'no_longer_so', 'ai_paused', 'automations_stopped', 'opted_out', 'expired']),
});

/** Another attempt has claimed the message, and its outcome must be settled first. */
const Unsettled = z.object({ claim: z.literal('unsettled') });
const Ended = z.object({ claim: z.literal('ended') });

/** The session has as many sends in flight as it may, in all processes together. */
const Crowded = z.object({ claim: z.literal('crowded') });

/**
 * A person may be writing in the conversation on the phone. {@link claimMessage} finds out in a transaction whether
 * that holds back the message.
 */
const AskPhone = z.object({ claim: z.literal('ask_phone'), sessionId: z.string(), conversationId: z.string() });

const Answer = z.object({
  result: z.discriminatedUnion('claim', [Claimed, NotNow, Refused, Unsettled, Ended, Crowded, AskPhone]),
});
type Answer = z.infer<typeof Answer>['result'];

export type ClaimResult =
  | Exclude<Answer, { claim: 'ask_phone' }>
  /**
   * A person may have written in the conversation on the phone, which must be known before the agent's message goes.
   */
  | { claim: 'soon'; reason: 'own_message'; conversationId: string };

export interface NewClaim {
  token: string;
  /** The number of the process that makes the call. */
  owner: string;
  chosenNetworkId: string | null;
  /** The slice that makes the call; null when the message's own execution does. */
  slice?: string | null;
  /** The milliseconds since a worker began the send, with its wait for the places of its account. */
  takenForMs?: number;
}

/**
 * Claims the message in one statement (`claim_message` in `claim.sql`), which is a transaction by itself. This is the
 * one fence before a call to the backend. Only where somebody may be writing on the phone, the answer is `ask_phone`,
 * and nothing is written; then {@link claimMessage} decides.
 */
export async function claimAtOnce(tx: Tx, messageId: string, claim: NewClaim): Promise<Answer> {
  return callClaim(tx, messageId, { ...claim, phoneIsKnown: false });
}

/**
 * Claims the message. Runs in a transaction: while it is looked for whether a person is writing on the phone, the locks
 * of the first statement keep the conversation and the tenant as they are.
 */
export async function claimMessage(tx: Tx, messageId: string, claim: NewClaim): Promise<ClaimResult> {
  const first = await callClaim(tx, messageId, { ...claim, phoneIsKnown: false });
  if (first.claim !== 'ask_phone') return first;
  const { conversationId } = first;
  if ((await phoneWaitMs(tx, first)) !== null) return { claim: 'soon', reason: 'own_message', conversationId };
  const second = await callClaim(tx, messageId, { ...claim, phoneIsKnown: true });
  if (second.claim === 'ask_phone') throw new Error('The claim asks for what it was told.');
  return second;
}

const claimJson = jsonParameter(
  {
    messageId: true,
    token: true,
    owner: true,
    chosenNetworkId: true,
    slice: true,
    takenForMs: true,
    phoneIsKnown: true,
    heedsOptOut: true,
    knowsNoLongerSo: true,
    now: true,
    liveMs: true,
  },
  'claim_message.p',
);

async function callClaim(tx: Tx, messageId: string, claim: NewClaim & { phoneIsKnown: boolean }): Promise<Answer> {
  const knows = { heedsOptOut: true, knowsNoLongerSo: true };
  const parameters = { messageId, ...claim, ...knows, now: tx.now, liveMs: PHONE_IS_LIVE_MS };
  const { result } = await one(tx, Answer)`
    select claim_message(${claimJson(parameters)}::jsonb) as result`;
  if (result.claim === 'not_now' && result.refundedSession) tx.wake('release', result.refundedSession);
  return result;
}

/**
 * Gives back a claim whose call was certainly never made. The message is the head of its queue again, and on a paced
 * session its slot is free for other messages.
 */
export async function returnClaim(
  tx: Tx,
  message: { messageId: string; conversationId: string; sessionId: string },
  token: string,
  reason: string,
): Promise<void> {
  const { messageId, conversationId, sessionId } = message;
  await lockConversation(tx, conversationId);
  const returned = await run(tx)`
    with returned as (
      update message set status = 'queued', claim_token = null, claimed_at = null, taken_at = null, lost_at = null,
        lost_cause = null, rendered_as = null, updated_at = ${tx.now}
      where id = ${messageId} and status = 'sending' and claim_token = ${token} returning id
    )
    insert into message_history (message_id, at, status, reason)
    select id, ${tx.now}, 'queued', ${reason} from returned`;
  if (returned > 0) await refundSlot(tx, messageId, sessionId);
}

/** Every call is over this long after its claim, even if the process that made it still runs. */
const CALL_OVER_AFTER_MS = MAX_CALL_MS + 60_000;
/** A running process that lost its connection has it and its advisory lock back within this time. */
const OWNER_BACK_WITHIN_MS = 5_000;

/**
 * The state of a message's call, as the row of its claim tells it. A flag is null when the message has no claim, or a
 * claim of a version that recorded no owner.
 */
const Call = z.object({ over: z.boolean().nullable(), isGone: z.boolean().nullable(), goneBefore: z.boolean() });

/**
 * True when no process can be waiting for the answer of the call any more, for one of three reasons. The owner's
 * process is gone: its connection and advisory lock are gone and did not come back. Or the owner is `self`, the calling
 * process, which says that it has no such call. Or too much time has passed.
 */
export async function isCallOver(tx: Tx, messageId: string, self: string): Promise<boolean> {
  const call = await row(tx, Call)`
    select claim_owner = ${self}::bigint
        or claimed_at < ${tx.now}::timestamptz - ${CALL_OVER_AFTER_MS} * interval '1 millisecond' as over,
      pg_try_advisory_xact_lock(claim_owner) as "isGone",
      coalesce(owner_gone_at < ${tx.now}::timestamptz - ${OWNER_BACK_WITHIN_MS} * interval '1 millisecond',
        false) as "goneBefore"
    from message where id = ${messageId}`;
  if (!call || call.over === true) return call !== undefined;
  if (call.isGone === true && call.goneBefore) return true;
  // `updated_at` stays, because no state that a dashboard sees has changed.
  await run(tx)`
    update message set owner_gone_at = case when ${call.isGone} then coalesce(owner_gone_at, ${tx.now}) end
    where id = ${messageId} and (owner_gone_at is null) = ${call.isGone}`;
  return false;
}
