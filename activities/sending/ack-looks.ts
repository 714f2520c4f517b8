import { setTimeout as pause } from 'node:timers/promises';
import type { AckLevel } from '../../domain/network/ack.ts';
import { listYoungSends } from '../../db/sending/acks/young-sends.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { stateOf } from './send-result.ts';
import type { SendResult } from './send-result.ts';

const DELIVERED = 2;
const LOOK_EVERY_MS = 150;

/**
 * Finds out whether the ack that decides a send comes at once, as most do, so that the execution ends with it. One timer
 * and one statement look for all sends of the process; no workflow has a timer of its own or is signalled. Later acks
 * are rows only, and `ack-watchdog.ts` asks about those that never come. A worker that stops looks on, because its grace
 * is longer than the looks take.
 */
export function createAckLooks({ database }: Pick<ActivityDependencies, 'database'>) {
  const waiting = new Map<string, PromiseWithResolvers<AckLevel | null>>();
  let isLooking = false;

  /** Returns the result with the level that the message has reached when its ack came soon. The workflow then ends. */
  async function withSoonAck<R extends { state: string }>(messageId: string, result: R): Promise<R | Sent | Ended> {
    if (!isLookedFor(result) || result.level >= DELIVERED) return result;
    const looked = { ...result, watch: false };
    const waits = waiting.get(messageId) ?? Promise.withResolvers<AckLevel | null>();
    waiting.set(messageId, waits);
    if (!isLooking) void lookForAll();
    const level = await waits.promise;
    if (level !== -1) return level === null ? looked : { ...looked, level: Math.max(level, result.level) };
    // The network has refused the message after all, and the row says why.
    const failed = await stateOf(database, messageId);
    return failed.state === 'ended' ? failed : looked;
  }

  async function lookForAll(): Promise<void> {
    isLooking = true;
    while (waiting.size > 0) {
      await pause(LOOK_EVERY_MS);
      const ids = [...waiting.keys()];
      try {
        for (const [id, level] of await lookFor(ids)) end(id, (waits) => waits.resolve(level));
      } catch (error) {
        // The activities fail and are repeated.
        for (const id of ids) end(id, (waits) => waits.reject(error));
      }
    }
    isLooking = false;
  }

  /** Returns the sends that need no further look, with their levels; a send that is gone has none. */
  async function lookFor(ids: readonly string[]): Promise<Map<string, AckLevel | null>> {
    const found = await database.read((queries) => listYoungSends(queries, ids));
    const known = new Set(found.map(({ id }) => id));
    const decided = found.filter(({ level, isYoung }) => level === -1 || level >= DELIVERED || !isYoung);
    const levels = new Map<string, AckLevel | null>(decided.map(({ id, level }) => [id, level]));
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

/** True for a send whose acks are looked for; `watch` alone would make its workflow wait for them. */
function isLookedFor(result: { state: string }): result is Sent {
  return result.state === 'sent' && 'watch' in result && result.watch === true;
}
