import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { heartbeat } from '@temporalio/activity';
import type { SendOutcome } from '../backend/send-outcome.ts';
import { claimMessage, returnClaim } from '../db/claim.ts';
import type { Claimed } from '../db/claim.ts';
import { lockConversation } from '../db/conversation.ts';
import { findMessageById } from '../db/message.ts';
import { endMessage, markLost, recordSent } from '../db/outcome.ts';
import { findSessionById } from '../db/session.ts';
import { CALL_WAIT_MS, CLAIM_VALID_MS } from '../domain/message-state.ts';
import type { EndReason } from '../domain/message.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { settle } from './settle.ts';

/** How far a send has come; what the workflow does next follows from it. */
export type SendResult =
  /** `level` is how far the network has confirmed it already; acks may be faster than the answer. */
  | { state: 'sent'; level: number }
  | { state: 'ended'; status: string }
  /** The session must come back first; its return signals the workflow. */
  | { state: 'waiting'; reason: string }
  /** Nothing was sent; try again after a pause. */
  | { state: 'retry'; reason: string }
  /** A call was made, or may have been: find out before anything is sent again. */
  | { state: 'unsettled' };

export type MessageActivities = ReturnType<typeof createMessageActivities>;

/** How long a local activity waits for a place among the session's sends in flight. */
const SLOT_WAIT_MS = 3_000;
/** Often while the answer may come any moment, rarely while only time can tell. */
const SETTLE_FIRST_MS = 500;
const SETTLE_LONGEST_MS = 5_000;
const RECORD_WITHIN_MS = 60_000;
const RECORD_EVERY_MS = 500;
const CHOOSE_WITHIN_MS = 1_000;
const NO_IDS_FOR_MS = 5_000;
const FINISH_WITHIN_MS = 10_000;

export function createMessageActivities(deps: ActivityDependencies) {
  const { database, backend, limits } = deps;
  /** Calls this process has begun and not recorded: kept past the local activity that began them. */
  const calls = new Map<string, Promise<SendResult>>();
  let noIdsUntil = 0;

  /**
   * Claims the message and makes the call. Safe to repeat: the claim in the database lets one attempt through, and an
   * attempt that finds a claim settles its outcome instead of sending again.
   */
  async function sendMessage({ messageId }: { messageId: string }): Promise<SendResult> {
    const message = await database.read((queries) => findMessageById(queries, messageId));
    if (!message) return { state: 'ended', status: 'unknown' };
    const session = await database.read((queries) => findSessionById(queries, message.sessionId));
    const chosenNetworkId = await chooseNetworkId(session?.platform ?? null);
    const release = await limits.acquire(message.sessionId, SLOT_WAIT_MS);
    if (!release) return { state: 'retry', reason: 'the session has enough sends in flight' };
    let kept = false;
    try {
      const token = randomUUID();
      const claimedAt = Date.now();
      const claim = await database.transaction((tx) =>
        claimMessage(tx, messageId, { token, owner: database.wakeups.owner, chosenNetworkId }),
      );
      switch (claim.claim) {
        case 'ended':
          return await stateOf(messageId);
        case 'unsettled':
          return { state: 'unsettled' };
        case 'not_now':
          return { state: 'waiting', reason: claim.reason };
        case 'refused':
          return await end(claim.conversationId, messageId, claim.status, claim.reason, null);
        case 'claimed':
          break;
      }
      if (Date.now() - claimedAt > CLAIM_VALID_MS) {
        await database.transaction((tx) => returnClaim(tx, messageId, token, 'claim_too_old'));
        return { state: 'retry', reason: 'the claim was too old to begin the call' };
      }
      const call = makeCall(claim, message.conversationId, token).finally(() => {
        calls.delete(messageId);
        release();
      });
      calls.set(messageId, call);
      kept = true;
      return await withinCallWait(call);
    } finally {
      if (!kept) release();
    }
  }

  /** The call and the record of its outcome. Under its token: a claim that was given up meanwhile is not touched. */
  async function makeCall(claim: Claimed, conversationId: string, token: string): Promise<SendResult> {
    const { messageId, sessionName: session, chatId, text, replyToNetworkId, networkId } = claim;
    const outcome = await backend.sendText({ session, chatId, text, networkId, replyToNetworkId });
    const until = Date.now() + RECORD_WITHIN_MS;
    for (;;) {
      try {
        return await record(outcome, { messageId, conversationId, token });
      } catch (error) {
        // An answer that is known must not become an unknown one because the database was away for a moment.
        if (Date.now() > until) throw error;
        await pause(RECORD_EVERY_MS);
      }
    }
  }

  async function record(
    outcome: SendOutcome,
    { messageId, conversationId, token }: { messageId: string; conversationId: string; token: string },
  ): Promise<SendResult> {
    switch (outcome.outcome) {
      case 'accepted': {
        const { networkId } = outcome;
        await database.transaction((tx) => recordSent(tx, { messageId, conversationId, token, networkId }));
        return stateOf(messageId);
      }
      case 'unknown':
        await database.transaction((tx) => markLost(tx, messageId, token, outcome.cause));
        return { state: 'unsettled' };
      case 'restricted':
        return end(conversationId, messageId, 'failed', 'restricted', outcome.detail, token);
      case 'not_sent': {
        if (outcome.retry === 'never') {
          return end(conversationId, messageId, 'failed', 'backend_refused', outcome.detail, token);
        }
        await database.transaction((tx) => returnClaim(tx, messageId, token, outcome.reason));
        // A session that the backend says is not working may be WORKING in our rows still, so nobody would signal.
        return { state: 'retry', reason: outcome.reason };
      }
    }
  }

  async function end(
    conversationId: string,
    messageId: string,
    status: 'failed' | 'cancelled',
    reason: EndReason,
    detail: string | null,
    token?: string,
  ): Promise<SendResult> {
    await database.transaction(async (tx) => {
      await lockConversation(tx, conversationId);
      await endMessage(tx, messageId, { status, reason, detail, ...(token === undefined ? {} : { token }) });
    });
    return stateOf(messageId);
  }

  /** The row is the truth, whoever moved it. */
  async function stateOf(messageId: string): Promise<SendResult> {
    const message = await database.read((queries) => findMessageById(queries, messageId));
    switch (message?.status) {
      case 'queued':
        return { state: 'retry', reason: 'it is back in its queue' };
      case 'sending':
        return { state: 'unsettled' };
      case 'sent':
      case 'delivered':
      case 'read':
      case 'played':
        return { state: 'sent', level: message.ack ?? 0 };
      default:
        return { state: 'ended', status: message?.status ?? 'unknown' };
    }
  }

  /** Chosen before the call where the backend takes it, so that a lost answer can be looked up by id. */
  async function chooseNetworkId(platform: string | null): Promise<string | null> {
    if (Date.now() < noIdsUntil) return null;
    const late = new AbortController();
    try {
      return await Promise.race([
        backend.chooseMessageId(platform),
        pause(CHOOSE_WITHIN_MS, undefined, { signal: late.signal }).then(() => {
          throw new Error('The backend was slow to say what it can do.');
        }),
      ]);
    } catch {
      // A backend that cannot say what it is must not hold up every send: without an id the chat itself tells.
      noIdsUntil = Date.now() + NO_IDS_FOR_MS;
      return null;
    } finally {
      late.abort();
    }
  }

  /**
   * Waits until the outcome is known: by the process that made the call, by the network's echo, or by reading the
   * chat. Safe to repeat: it only reads, until it records under the claim's token.
   */
  async function settleMessage({
    messageId,
  }: {
    messageId: string;
  }): Promise<Exclude<SendResult, { state: 'unsettled' }>> {
    for (let everyMs = SETTLE_FIRST_MS; ; everyMs = Math.min(everyMs * 1.5, SETTLE_LONGEST_MS)) {
      heartbeat();
      const state = await stateOf(messageId);
      if (state.state !== 'unsettled') return state;
      deps.stopping.throwIfAborted();
      if (!calls.has(messageId)) await settle(deps, messageId);
      await database.wakeups.wait('message', messageId, everyMs, deps.stopping);
    }
  }

  /** Lets the calls of this process end and be recorded before it goes; those of a hanging backend are settled later. */
  async function finishCalls(): Promise<void> {
    const waited = new AbortController();
    await Promise.race([
      Promise.allSettled(calls.values()),
      pause(FINISH_WITHIN_MS, undefined, { signal: waited.signal }),
    ]);
    waited.abort();
  }

  return { sendMessage, settleMessage, finishCalls };
}

async function withinCallWait(call: Promise<SendResult>): Promise<SendResult> {
  const { promise, resolve } = Promise.withResolvers<SendResult>();
  const timer = setTimeout(() => resolve({ state: 'unsettled' }), CALL_WAIT_MS);
  try {
    return await Promise.race([call, promise]);
  } finally {
    clearTimeout(timer);
  }
}
