import { z } from 'zod';
import { MessageContent } from '../../domain/sending/content.ts';
import { MessageKind, MessageOrigin, MessageStatus } from '../../domain/sending/message.ts';
import type { EndReason } from '../../domain/sending/message.ts';
import { MAX_CALL_MS } from '../../domain/sending/message-state.ts';
import { lockConversation } from '../conversations/conversation.ts';
import type { Tx } from '../tx.ts';
import { row, run } from '../rows.ts';
import { refundSlot } from './pace.ts';
import { phoneWaitMs } from './phone-wait.ts';

/** The columns that the call to the backend needs. */
const Callable = z.object({
  sessionId: z.string(),
  sessionName: z.string(),
  conversationId: z.string(),
  chatId: z.string(),
  platform: z.string().nullable(),
  kind: MessageKind,
  text: z.string(),
  content: MessageContent.nullable(),
  /** True for a message of a broadcast, for whose delivery nobody waits. */
  bulk: z.boolean(),
});

const Claimable = Callable.extend({
  status: MessageStatus,
  origin: MessageOrigin,
  working: z.boolean(),
  suspended: z.boolean(),
  replyToNetworkId: z.string().nullable(),
  replyToFromMe: z.boolean().nullable(),
  chosenNetworkId: z.string().nullable(),
  released: z.boolean(),
  expired: z.boolean(),
  /**
   * True while no takeover has raised an epoch since the agent wrote the message; null for messages that are not the
   * agent's, which have no fence.
   */
  fenceHolds: z.boolean().nullable(),
  taken: z.boolean(),
  /**
   * True when the message would be the first to a new contact and the network refuses first contacts of this account
   * now.
   */
  restricted: z.boolean(),
});

export interface Claimed extends z.infer<typeof Callable> {
  claim: 'claimed';
  messageId: string;
  replyTo: { networkId: string; fromMe: boolean } | null;
  /**
   * The network id that was chosen for the message. Every attempt uses it, so a late echo of an earlier attempt is
   * recognised, and the network may drop the second message.
   */
  networkId: string | null;
}

export type ClaimResult =
  | Claimed
  /** The message may not go now and stays at the head of its queue. */
  | { claim: 'not_now'; reason: 'session_not_working' | 'suspended' | 'held' | 'restricted' }
  /**
   * A person may have written in the conversation on the phone, which must be known before the agent's message goes.
   */
  | { claim: 'soon'; reason: 'own_message'; conversationId: string }
  /** Another attempt has claimed the message, and its outcome must be settled first. */
  | { claim: 'unsettled' }
  /** The message must not go out any more; the caller ends it under the conversation's lock. */
  | { claim: 'refused'; conversationId: string; status: 'cancelled' | 'failed'; reason: EndReason }
  | { claim: 'ended' };

/**
 * Claims the message. This is the one fence before a call to the backend. The claim share-locks the conversation and
 * the tenant, so it sees every takeover that has been answered, and a later takeover waits until the claim has
 * committed.
 */
export async function claimMessage(
  tx: Tx,
  messageId: string,
  claim: { token: string; owner: string; chosenNetworkId: string | null },
): Promise<ClaimResult> {
  await shareConversation(tx, messageId);
  const message = await row(tx, Claimable)`
    select m.status, m.origin, m.session_id as "sessionId", s.name as "sessionName", is_working(s.status) as working,
      is_suspended(a.status) as suspended, c.chat_id as "chatId", s.platform, m.kind, m.body as text, m.content, m.bulk,
      m.reply_to_network_id as "replyToNetworkId", m.reply_to_from_me as "replyToFromMe",
      m.conversation_id as "conversationId", m.chosen_network_id as "chosenNetworkId",
      m.released_at is not null as released,
      coalesce(m.expires_at <= ${tx.now}, false) as expired,
      -- When the agent hands the conversation over, its last words bear the epoch of that handover, so only those words
      -- may still go.
      (c.epoch = m.conversation_epoch and t.ai_epoch = m.tenant_epoch and (c.mode = 'bot_active' or agent_has_left(c))
        and tenant_silence(t) is null) as "fenceHolds",
      (c.mode = 'human_takeover' or t.ai_mode = 'human_takeover') as taken,
      (not c.contacted and c.chat_id not like '%@g.us' and is_restricted(s.id, ${tx.now})
        and not exists (select 1 from message o
        where o.conversation_id = c.id and was_said(o.status))) as restricted
    from message m join conversation c on c.id = m.conversation_id join session s on s.id = m.session_id
    join agency a on a.id = m.agency_id join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id
    where m.id = ${messageId} for update of m`;
  if (!message || (message.status !== 'queued' && message.status !== 'sending')) return { claim: 'ended' };
  if (message.status === 'sending') return { claim: 'unsettled' };
  const refused = refusal(message);
  if (refused) return { claim: 'refused', conversationId: message.conversationId, ...refused };
  if (!message.released) return { claim: 'not_now', reason: 'held' };
  if (message.suspended) return { claim: 'not_now', reason: 'suspended' };
  if (!message.working) return { claim: 'not_now', reason: 'session_not_working' };
  const { sessionId, conversationId } = message;
  if (message.origin === 'ai' && (await phoneWaitMs(tx, { sessionId, conversationId })) !== null)
    return { claim: 'soon', reason: 'own_message', conversationId };
  if (message.restricted) {
    await refundSlot(tx, messageId, message.sessionId);
    return { claim: 'not_now', reason: 'restricted' };
  }
  await run(tx)`
    with claimed as (
      update message set status = 'sending', claim_token = ${claim.token}, claimed_at = ${tx.now},
        updated_at = ${tx.now}, claim_owner = ${claim.owner}::bigint, attempts = attempts + 1,
        chosen_network_id = coalesce(chosen_network_id, ${claim.chosenNetworkId}),
        lost_at = null, lost_cause = null, owner_gone_at = null
      where id = ${messageId} returning id
    )
    insert into message_history (message_id, at, status) select id, ${tx.now}, 'sending' from claimed`;
  const { replyToNetworkId: quoted, replyToFromMe, chosenNetworkId, ...told } = message;
  return {
    claim: 'claimed',
    messageId,
    sessionId: told.sessionId,
    sessionName: told.sessionName,
    conversationId: told.conversationId,
    chatId: told.chatId,
    platform: told.platform,
    kind: told.kind,
    text: told.text,
    content: told.content,
    bulk: told.bulk,
    replyTo: quoted === null ? null : { networkId: quoted, fromMe: replyToFromMe ?? false },
    networkId: chosenNetworkId ?? claim.chosenNetworkId,
  };
}

const Shared = z.object({ merged: z.boolean() });

/**
 * Share-locks the message's conversation and tenant. When the conversation was merged meanwhile, it locks the one that
 * the message is in now.
 */
async function shareConversation(tx: Tx, messageId: string): Promise<void> {
  const shared = await row(tx, Shared)`
    select c.merged_into is not null as merged from message m join conversation c on c.id = m.conversation_id
    join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id
    where m.id = ${messageId} for share of c, t`;
  if (shared?.merged === true) await shareConversation(tx, messageId);
}

function refusal(
  message: z.infer<typeof Claimable>,
): { status: 'cancelled' | 'failed'; reason: EndReason } | undefined {
  if (message.origin === 'ai' && !message.fenceHolds) {
    return { status: 'cancelled', reason: message.taken ? 'taken_over' : 'ai_paused' };
  }
  return message.expired ? { status: 'failed', reason: 'expired' } : undefined;
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
      update message set status = 'queued', claim_token = null, claimed_at = null, lost_at = null, lost_cause = null,
        rendered_as = null, updated_at = ${tx.now}
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
