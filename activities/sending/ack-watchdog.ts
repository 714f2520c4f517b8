import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { CallsOf } from '../../adapters/backend/backends.ts';
import { claimUnacked, noteUnacked, returnLooks } from '../../db/sending/acks/check.ts';
import type { Unacked } from '../../db/sending/acks/check.ts';
import { applyAcks } from '../../db/sending/outcome.ts';
import { EngineError } from '../../domain/error.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { inTime } from '../in-time.ts';

export type AckWatchdog = ReturnType<typeof createAckWatchdog>;

/**
 * One run asks about at most this many messages, so the run ends within a minute even when no read is answered. The
 * next run takes the rest.
 */
const MESSAGES = 40;
/**
 * A run asks about few messages of each session, because an account that asks about everything at once looks like a
 * machine.
 */
const MESSAGES_PER_SESSION = 5;
const AT_ONCE = 4;
const READ_WITHIN_MS = 5_000;
const NOT_REACHED = new Set<string>(['backend_unavailable', 'session_not_ready']);

interface WatchdogDependencies extends Pick<ActivityDependencies, 'database' | 'stopping'> {
  backends: CallsOf<'readAck'>;
}

export function createAckWatchdog({ database, backends, stopping }: WatchdogDependencies) {
  /**
   * Asks the backend about sent messages that the network has not acknowledged, because an ack may have been lost on
   * its way to us. Safe to repeat: each look is counted before it is made, and ack levels never fall. A look that could
   * not be made is taken off the count again.
   * Rows: message, message_history.
   */
  async function readMissingAcks(): Promise<{ asked: number; found: number }> {
    const unacked = await database.transaction((tx) =>
      claimUnacked(tx, { limit: MESSAGES, perSession: MESSAGES_PER_SESSION }),
    );
    const waiting = [...unacked];
    const notAsked: string[] = [];
    const over = AbortSignal.any([stopping, cancellationSignal()]);
    let found = 0;
    const reader = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        heartbeat();
        const look = over.aborted ? 'not_asked' : await readAck(one);
        if (look === 'found') found += 1;
        if (look === 'not_asked') notAsked.push(one.messageId);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, reader));
    if (notAsked.length > 0) await database.transaction((tx) => returnLooks(tx, notAsked));
    over.throwIfAborted();
    return { asked: unacked.length - notAsked.length, found };
  }

  async function readAck(message: Unacked): Promise<'found' | 'missing' | 'not_asked'> {
    const { backend, sessionName: session, platform, chatId, networkId } = message;
    try {
      const calls = backends.of({ backend, name: session });
      const level = await inTime(calls.readAck({ session, platform, chatId, networkId }), READ_WITHIN_MS);
      if (level !== null && level !== 0) {
        const ack = { sessionId: message.sessionId, networkId, level, error: null, chatId };
        await database.transaction((tx) => applyAcks(tx, [ack]));
        return 'found';
      }
    } catch (error) {
      // A look that the backend could not answer stays counted, so the next look comes later. A look that did not reach
      // the backend is taken off the count.
      if (!(error instanceof EngineError) || NOT_REACHED.has(error.code)) return 'not_asked';
    }
    if (message.isLast) await database.transaction((tx) => noteUnacked(tx, message.messageId));
    return 'missing';
  }

  return { readMissingAcks };
}
