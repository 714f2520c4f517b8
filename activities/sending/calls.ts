import { setTimeout as pause } from 'node:timers/promises';
import type { Deadline } from '../../backend/http/deadline.ts';
import type { RenderedOutcome } from '../../backend/send/send.ts';
import { returnClaim } from '../../db/sending/claim.ts';
import type { Claimed } from '../../db/sending/claim.ts';
import { noteMentionsLeftOut } from '../../db/conversations/media.ts';
import { markLost, recordSent } from '../../db/sending/outcome.ts';
import { restrictSession } from '../../db/sending/pace.ts';
import { askForSessionLook } from '../../db/sessions/session-look.ts';
import { RESTRICTED_FOR_MS } from '../../db/sending/acks/acks.ts';
import type { OutgoingFile } from '../../domain/sending/outgoing.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { toOutgoing } from './outgoing.ts';
import { backInQueue, endIt, stateOf } from './send-result.ts';
import type { SendResult } from './send-result.ts';

const RECORD_WITHIN_MS = 60_000;
const RECORD_EVERY_MS = 500;
const FINISH_WITHIN_MS = 10_000;

/** Calls to the backend that this process has begun and not recorded: kept past the activity that began them. */
export function createCalls({ database, backend }: Pick<ActivityDependencies, 'database' | 'backend'>) {
  /** Several attempts of one message may be at it: each is counted, for the one that ends first may not be the one that calls. */
  const calls = new Map<string, Set<Promise<unknown>>>();

  /** From before the claim until its outcome is on record: who settles meanwhile waits for it instead. */
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

  /** The call and the record of its outcome. Under its token: a claim that was given up meanwhile is not touched. */
  async function make(
    claim: Claimed,
    token: string,
    file: OutgoingFile | null,
    call: { platform: string | null; beginBy: Deadline },
  ): Promise<SendResult> {
    const outcome = await backend.send(toOutgoing(claim, file), call);
    const until = Date.now() + RECORD_WITHIN_MS;
    for (;;) {
      try {
        return await record(claim, token, outcome);
      } catch (error) {
        // An answer that is known must not become an unknown one because the database was away for a moment.
        if (Date.now() > until) throw error;
        await pause(RECORD_EVERY_MS);
      }
    }
  }

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
        // An ack that came before may have said already that it failed: then the row tells.
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
          const why = reason === 'media_too_large' ? reason : 'backend_refused';
          return endIt(database, claim, { status: 'failed', reason: why, detail, token });
        }
        await database.transaction(async (tx) => {
          await returnClaim(tx, claim, token, reason);
          if (retry === 'when_working') await askForSessionLook(tx, claim.sessionId);
        });
        // Until its supervisor has looked, the session is WORKING in our rows, so nobody would signal.
        return backInQueue(database, messageId, reason);
      }
    }
  }

  /** Lets the calls of this process end and be recorded before it goes; those of a hanging backend are settled later. */
  async function finishCalls(): Promise<void> {
    const waited = new AbortController();
    await Promise.race([
      Promise.allSettled([...calls.values()].flatMap((all) => [...all])),
      pause(FINISH_WITHIN_MS, undefined, { signal: waited.signal }),
    ]);
    waited.abort();
  }

  return { keep, make, has: (messageId: string) => calls.has(messageId), finishCalls };
}
