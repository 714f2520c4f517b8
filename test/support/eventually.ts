import { setTimeout as pause } from 'node:timers/promises';

/** Short at first, for what holds in a moment. Later looks are rarer: each costs a request and its statements. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 200;
const LONGER_BY = 1.2;
/** A condition that holds sooner ends the wait. */
const WAIT_MS = 45_000;

/**
 * Waits for a condition: resolves with the first value that is neither undefined, null nor false. The patience counts
 * the pauses between the looks. If a busy machine makes each check slower, the wait is longer.
 */
export async function eventually<T>(
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { withinMs = WAIT_MS, what = 'the condition' }: { withinMs?: number; what?: string | (() => string) } = {},
): Promise<T> {
  let [pauseMs, pausedMs] = [FIRST_PAUSE_MS, 0];
  while (pausedMs <= withinMs) {
    const value = await look();
    if (value !== undefined && value !== null && value !== false) return value;
    await pause(pauseMs);
    pausedMs += pauseMs;
    pauseMs = Math.min(pauseMs * LONGER_BY, MAX_PAUSE_MS);
  }
  throw new Error(`Timed out after ${withinMs} ms, waiting for ${typeof what === 'string' ? what : what()}.`);
}
