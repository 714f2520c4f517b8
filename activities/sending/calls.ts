import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Deadline } from '../../adapters/backend/http/deadline.ts';
import type { RenderedOutcome } from '../../adapters/backend/send/send.ts';
import { adoptOwnMessages } from '../../db/network/adopt-own-messages.ts';
import { placeOf } from '../../db/sending/before-send.ts';
import { claimAtOnce, claimMessage, returnClaim } from '../../db/sending/claim.ts';
import type { Claimed, ClaimResult, NewClaim } from '../../db/sending/claim.ts';
import { noteMentionsLeftOut } from '../../db/conversations/media.ts';
import { markLost, recordSent } from '../../db/sending/outcome.ts';
import { restrictAfterRefusals, restrictSession } from '../../db/sending/pace.ts';
import { askForSessionLook } from '../../db/sessions/session-look.ts';
import { RESTRICTED_FOR_MS } from '../../db/sending/acks/acks.ts';
import { count } from '../../domain/telemetry/meter.ts';
import { MediaKind } from '../../domain/sending/content.ts';
import { CLAIM_VALID_MS } from '../../domain/sending/message-state.ts';
import type { Outgoing, OutgoingFile } from '../../domain/sending/outgoing.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { backInQueue, BACKEND_UNKNOWN, endIt, NO_SLOT, stateOf } from './send-result.ts';
import type { SendResult } from './send-result.ts';

const CROWDED_PAUSE_MS = 100;
const RECORD_WITHIN_MS = 60_000;
const RECORD_EVERY_MS = 500;
const FINISH_WITHIN_MS = 10_000;

/** The facts of a call. They are found out before the claim, because the call must follow the claim at once. */
interface Call {
  messageId: string;
  chosenNetworkId: string | null;
  /** The backend's engine, or null when it could not be found out. */
  platform: string | null;
  file: OutgoingFile | null;
  /** The slice that sends the message; null when its own execution does. */
  slice: string | null;
  /** Until then the call waits for room among the sends of its session in all processes. */
  roomBy: Deadline;
  /** When this worker began the send, by the clock of the process. */
  takenAt: number;
}

/**
 * Keeps the calls to the backend that this process has begun and not yet recorded, even after their activity has ended.
 */
export function createCalls({ database, backends }: Pick<ActivityDependencies, 'database' | 'backends'>) {
  /**
   * Several attempts may work on one message. Each attempt is kept, because the first to end may not be the one that
   * calls the backend.
   */
  const calls = new Map<string, Set<Promise<unknown>>>();

  /**
   * Registers the work from before the claim until its outcome is recorded. A look that settles the message in this
   * process sees the entry and waits for the outcome instead of asking the backend.
   */
  async function keep<T>(messageId: string, work: Promise<T>): Promise<T> {
    const all = calls.get(messageId) ?? new Set();
    calls.set(messageId, all.add(work));
    try {
      return await work;
    } finally {
      all.delete(work);
      if (all.size === 0) calls.delete(messageId);
    }
  }

  /** Claims the message, calls the backend and records the outcome. `onBegin` is called when the call begins. */
  async function claimAndCall(call: Call, onBegin: () => void): Promise<SendResult> {
    return keep(call.messageId, claimFirst(call, onBegin));
  }

  async function claimFirst(call: Call, onBegin: () => void): Promise<SendResult> {
    const { messageId, chosenNetworkId, slice } = call;
    const token = randomUUID();
    const beginBy = new Deadline(CLAIM_VALID_MS);
    const claim = await claimIt(call, { token, owner: database.wakeups.owner, chosenNetworkId, slice });
    switch (claim.claim) {
      case 'crowded':
        if (call.roomBy.isPast()) return NO_SLOT;
        await pause(CROWDED_PAUSE_MS * (1 + Math.random()));
        return claimFirst(call, onBegin);
      case 'ended':
        return stateOf(database, messageId);
      case 'unsettled':
        return { state: 'unsettled' };
      case 'not_now':
        return { state: 'waiting', reason: claim.reason };
      case 'soon':
        // Other processes that adopt may be down or busy, so this one does it too; adoptOwnMessages records a failure
        // in the row.
        await adoptOwnMessages(database, backends.findPhone, { conversationId: claim.conversationId });
        return { state: 'retry', reason: 'a person may be writing on the phone' };
      case 'refused': {
        const { conversationId, status, reason } = claim;
        return endIt(database, { messageId, conversationId }, { status, reason, detail: null });
      }
      case 'claimed':
        break;
    }
    if (beginBy.isPast()) {
      await database.transaction((tx) => returnClaim(tx, claim, token, 'claim_too_old'));
      return backInQueue(database, messageId, 'the claim was too old to begin the call');
    }
    // The session may have been moved since the message was looked at; the claim says where it is.
    if (!backends.knows(claim)) {
      await database.transaction((tx) => returnClaim(tx, claim, token, 'backend_unavailable'));
      return backInQueue(database, messageId, BACKEND_UNKNOWN);
    }
    onBegin();
    const platform = claim.platform ?? call.platform;
    const outcome = await backends.of(placeOf(claim)).send(toOutgoing(claim, call.file), { platform, beginBy });
    count('engine_sends_total', { outcome: outcome.outcome });
    return recordSurely(claim, token, outcome);
  }

  /** Only where a person may be writing on the phone a transaction is needed. */
  async function claimIt({ messageId, takenAt }: Call, claim: NewClaim): Promise<ClaimResult> {
    const taken = () => ({ ...claim, takenForMs: performance.now() - takenAt });
    const result = await database.statement((tx) => claimAtOnce(tx, messageId, taken()));
    return result.claim === 'ask_phone' ? database.transaction((tx) => claimMessage(tx, messageId, taken())) : result;
  }

  /**
   * Retries the record for a minute: a known answer must not become unknown because the database was away for a moment.
   */
  async function recordSurely(claim: Claimed, token: string, outcome: RenderedOutcome): Promise<SendResult> {
    const until = Date.now() + RECORD_WITHIN_MS;
    for (;;) {
      try {
        return await record(claim, token, outcome);
      } catch (error) {
        if (Date.now() > until) throw error;
        await pause(RECORD_EVERY_MS);
      }
    }
  }

  /** Records the outcome under the claim's token, so that a claim that was given up meanwhile is left alone. */
  async function record(claim: Claimed, token: string, outcome: RenderedOutcome): Promise<SendResult> {
    const { messageId, conversationId } = claim;
    switch (outcome.outcome) {
      case 'accepted': {
        const { networkId, renderedAs } = outcome;
        const sent = await database.transaction(async (tx) => {
          const moved = await recordSent(tx, { messageId, conversationId, token, networkId, renderedAs });
          if (moved && outcome.leftOut) await noteMentionsLeftOut(tx, messageId);
          return moved;
        });
        // An ack may have come before this answer and said that the send failed, so the state is read from the row.
        if (!sent || sent.ack === -1) return stateOf(database, messageId);
        return { state: 'sent', level: sent.ack ?? 0, watch: !claim.bulk };
      }
      case 'unknown':
        await database.transaction((tx) => markLost(tx, messageId, token, outcome.cause, outcome.renderedAs));
        return { state: 'unsettled' };
      case 'restricted': {
        const { detail, until } = outcome;
        await database.transaction((tx) =>
          restrictSession(tx, claim.sessionId, {
            until: until ?? new Date(tx.now.getTime() + RESTRICTED_FOR_MS),
            code: detail,
          }),
        );
        return endIt(database, claim, { status: 'failed', reason: 'restricted', detail, token });
      }
      case 'not_sent': {
        const { retry, reason, detail } = outcome;
        if (retry === 'never') {
          if (reason === 'recipient_refused')
            await database.transaction((tx) => restrictAfterRefusals(tx, claim.sessionId, conversationId));
          const isOwn = reason === 'media_too_large' || reason === 'recipient_refused';
          const why = isOwn ? reason : 'backend_refused';
          return endIt(database, claim, { status: 'failed', reason: why, detail, token });
        }
        await database.transaction(async (tx) => {
          await returnClaim(tx, claim, token, reason);
          if (retry === 'when_working') await askForSessionLook(tx, claim.sessionId);
        });
        // The session stays WORKING in our rows until its supervisor has looked, so no signal would come for this
        // message. The message therefore tries again after a pause.
        return backInQueue(database, messageId, reason);
      }
    }
  }

  /**
   * Waits until the calls of this process are recorded, before the process ends. A call to a backend that hangs is
   * settled later.
   */
  async function finishCalls(): Promise<void> {
    const waited = new AbortController();
    await Promise.race([
      Promise.allSettled([...calls.values()].flatMap((all) => [...all])),
      pause(FINISH_WITHIN_MS, undefined, { signal: waited.signal }),
    ]);
    waited.abort();
  }

  return { keep, claimAndCall, has: (messageId: string) => calls.has(messageId), finishCalls };
}

/** Translates a claimed message into the words of the backend's client. */
function toOutgoing(claim: Claimed, file: OutgoingFile | null): Outgoing {
  const { sessionName: session, chatId, networkId, replyTo, text, content } = claim;
  const base = { session, chatId, networkId, replyTo, mentions: content?.mentions ?? [] };
  if (file) return { ...base, kind: MediaKind.parse(claim.kind), text, file };
  if (content?.buttons) return { ...base, kind: 'buttons', text, buttons: content.buttons };
  if (content?.list) return { ...base, kind: 'list', text, list: content.list };
  if (content?.location) return { ...base, kind: 'location', location: content.location };
  if (content?.contacts) return { ...base, kind: 'contact', contacts: content.contacts };
  if (content?.poll) return { ...base, kind: 'poll', poll: content.poll };
  if (content?.forward) return { ...base, kind: 'forward', forwarded: content.forward };
  return { ...base, kind: 'text', text };
}
