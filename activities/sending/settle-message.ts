import { Context } from '@temporalio/activity';
import type { createCalls } from './calls.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';
import { stateOf } from './send-result.ts';
import type { SendResult } from './send-result.ts';
import { settle } from './settle.ts';

export type Settled = Exclude<SendResult, { state: 'unsettled' }> | { state: 'unsettled'; lookAgainInMs: number };

/**
 * The first look goes on this long, because the answer may come any moment. Later looks end at once, because all
 * messages share the worker's slots for activities.
 */
const FIRST_LOOK_FOR_MS = 12_000;
const LOOK_AGAIN_IN_MS = 10_000;
/** The pause between two rounds of a look. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;

/** Creates the activity that finds out what became of a call. */
export function createSettleMessage(
  deps: Pick<ActivityDependencies, 'database' | 'backends' | 'settleDelays' | 'stopping'>,
  calls: ReturnType<typeof createCalls>,
) {
  const { database, stopping } = deps;
  /**
   * A look goes on after its activity is lost. The next attempt waits for the same look, so the backend is not asked
   * twice.
   */
  const looks = new Map<string, Promise<Settled>>();

  /**
   * Finds the outcome of a call: from the process that made it, from the network's echo, or by reading the chat. Safe
   * to repeat: it only reads until it records the outcome under the claim's token.
   * Rows: message, message_history.
   */
  async function settleMessage({ messageId, again }: { messageId: string; again: boolean }): Promise<Settled> {
    const looking = looks.get(messageId) ?? look(messageId, again ? 0 : FIRST_LOOK_FOR_MS);
    looks.set(messageId, looking);
    const over = (): void => {
      if (looks.get(messageId) === looking) looks.delete(messageId);
    };
    looking.then(over, over);
    return beating(() => Promise.race([looking, Context.current().cancelled]));
  }

  async function look(messageId: string, forMs: number): Promise<Settled> {
    const until = Date.now() + forMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
      const before = await stateOf(database, messageId);
      if (before.state !== 'unsettled') return before;
      stopping.throwIfAborted();
      if (!calls.has(messageId)) await settle(deps, messageId);
      if (Date.now() >= until) break;
      await database.wakeups.wait('message', messageId, Math.min(pauseMs, until - Date.now()), stopping);
    }
    const after = await stateOf(database, messageId);
    return after.state === 'unsettled' ? { state: 'unsettled', lookAgainInMs: LOOK_AGAIN_IN_MS } : after;
  }

  return settleMessage;
}
