import { setTimeout as pause } from 'node:timers/promises';
import type { AckLevel } from '../../domain/network/ack.ts';
import { listYoungSends } from '../../db/sending/acks/young-sends.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { stateOf } from './send-result.ts';
import type { SendResult } from './send-result.ts';

const DELIVERED = 2;
const LOOK_EVERY_MS = 150;

/**
 * Finds out whether the ack that decides a send comes at once, as most do. Such an ack then costs no signal, no timer
 * and no second task of the workflow. One statement looks for all sends of the process.
 */
export function createAckLooks({ database, stopping }: Pick<ActivityDependencies, 'database' | 'stopping'>) {
  const waiting = new Map<string, PromiseWithResolvers<AckLevel | null>>();
  let isLooking = false;

  /** Returns the result with the level that the message has reached when its ack came soon; else the result as it is. */
  async function withSoonAck<R extends { state: string }>(messageId: string, result: R): Promise<R | Sent | Ended> {
    if (!isWatched(result) || result.level >= DELIVERED) return result;
    const waits = waiting.get(messageId) ?? Promise.withResolvers<AckLevel | null>();
    waiting.set(messageId, waits);
    if (!isLooking) void lookForAll();
    const level = await waits.promise;
    if (level !== -1) return level === null ? result : { ...result, level: Math.max(level, result.level) };
    // The network has refused the message after all, and the row says why.
    const failed = await stateOf(database, messageId);
    return failed.state === 'ended' ? failed : result;
  }

  async function lookForAll(): Promise<void> {
    isLooking = true;
    while (waiting.size > 0) {
      await pause(LOOK_EVERY_MS);
      const ids = [...waiting.keys()];
      // Acks are hints for the workflow, so a look that fails is not repeated.
      const found = await database.read((queries) => listYoungSends(queries, ids)).catch(() => []);
      const young = new Map(found.map((each) => [each.id, each]));
      for (const id of ids) {
        const send = young.get(id);
        const isOver = !send?.isYoung || send.level === -1 || send.level >= DELIVERED || stopping.aborted;
        if (isOver) end(id, send?.level ?? null);
      }
    }
    isLooking = false;
  }

  function end(messageId: string, level: AckLevel | null): void {
    const waits = waiting.get(messageId);
    waiting.delete(messageId);
    waits?.resolve(level);
  }

  return { withSoonAck };
}

type Sent = Extract<SendResult, { state: 'sent' }>;
type Ended = Extract<SendResult, { state: 'ended' }>;

/** True for a send whose workflow would watch for its ack. */
function isWatched(result: { state: string }): result is Sent {
  return result.state === 'sent' && 'watch' in result && result.watch === true;
}
