import { heartbeat } from '@temporalio/activity';
import { claimUnacked, noteUnacked } from '../db/ack-check.ts';
import type { Unacked } from '../db/ack-check.ts';
import { signalAck } from '../db/ingest.ts';
import { applyAck } from '../db/outcome.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { inTime } from './in-time.ts';

export type AckWatchdog = ReturnType<typeof createAckWatchdog>;

/** Of one run; what is left has its turn at the next. */
const MESSAGES = 100;
/** An account that is asked about everything at once looks like a machine. */
const MESSAGES_PER_SESSION = 5;
const AT_ONCE = 4;
const READ_WITHIN_MS = 5_000;

/**
 * Asks the backend about sent messages that the network has not acknowledged: an ack may have been lost on its way to us.
 * Safe to repeat: each look counts before it is made, and levels never fall.
 */
export function createAckWatchdog({
  database,
  backend,
  stopping,
}: Pick<ActivityDependencies, 'database' | 'backend' | 'stopping'>) {
  async function readMissingAcks(): Promise<{ asked: number; found: number }> {
    const unacked = await database.transaction((tx) =>
      claimUnacked(tx, { limit: MESSAGES, perSession: MESSAGES_PER_SESSION }),
    );
    const waiting = [...unacked];
    let found = 0;
    const reader = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        heartbeat();
        stopping.throwIfAborted();
        if (await readAck(one)) found += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, reader));
    return { asked: unacked.length, found };
  }

  async function readAck(message: Unacked): Promise<boolean> {
    const { sessionName: session, chatId, networkId } = message;
    try {
      const level = await inTime(backend.readAck({ session, chatId, networkId }), READ_WITHIN_MS);
      if (level !== null && level !== 0) {
        await database.transaction(async (tx) => {
          const moved = await applyAck(tx, message.sessionId, { networkId, level, error: null });
          if (moved) await signalAck(tx, message.agencyId, moved);
        });
        return true;
      }
    } catch {
      // Whatever cannot be read now is asked about again, later each time.
    }
    if (message.isLast) await database.transaction((tx) => noteUnacked(tx, message.messageId));
    return false;
  }

  return { readMissingAcks };
}
