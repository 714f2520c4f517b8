import { setTimeout as pause } from 'node:timers/promises';
import type { AckLevel } from '../../domain/network/ack.ts';
import { listYoungSends, lookForTheLastTime } from '../../db/sending/acks/young-sends.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { stateOf } from './send-result.ts';
import type { SendResult } from './send-result.ts';

const DELIVERED = 2;
const LOOK_EVERY_MS = 150;

/**
 * Finds out whether the ack that decides a send comes at once, as most do. Such an ack then costs no signal, no timer
 * and no second task of the workflow. One statement looks for all sends of the process. A worker that stops looks on,
 * because its grace is longer than the looks take.
 */
export function createAckLooks({ database }: Pick<ActivityDependencies, 'database'>) {
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
      try {
        for (const [id, level] of await lookFor(ids)) end(id, (waits) => waits.resolve(level));
      } catch (error) {
        // The activities fail and are repeated: nobody else tells their workflows of these acks.
        for (const id of ids) end(id, (waits) => waits.reject(error));
      }
    }
    isLooking = false;
  }

  /** Returns the sends that need no further look, with their levels; a send that is gone has none. */
  async function lookFor(ids: readonly string[]): Promise<Map<string, AckLevel | null>> {
    const found = await database.read((queries) => listYoungSends(queries, ids));
    const known = new Set(found.map(({ id }) => id));
    const decided = found.filter(({ level }) => level === -1 || level >= DELIVERED);
    const old = found.filter((send) => !send.isYoung && !decided.includes(send)).map(({ id }) => id);
    const last = old.length === 0 ? [] : await database.statement((tx) => lookForTheLastTime(tx, old));
    const levels = new Map<string, AckLevel | null>([...decided, ...last].map(({ id, level }) => [id, level]));
    for (const id of ids) if (!known.has(id)) levels.set(id, null);
    return levels;
  }

  function end(messageId: string, tell: (waits: PromiseWithResolvers<AckLevel | null>) => void): void {
    const waits = waiting.get(messageId);
    waiting.delete(messageId);
    if (waits) tell(waits);
  }

  return { withSoonAck };
}

type Sent = Extract<SendResult, { state: 'sent' }>;
type Ended = Extract<SendResult, { state: 'ended' }>;

/** True for a send whose workflow would watch for its ack. */
function isWatched(result: { state: string }): result is Sent {
  return result.state === 'sent' && 'watch' in result && result.watch === true;
}
