import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 25;
/** A condition that holds sooner ends the wait. */
const WAIT_MS = 45_000;

/**
 * Waits for a condition: resolves with the first value that is neither undefined, null nor false. The patience is so
 * many looks as fit into the time on an idle machine. Where a busy one makes each look slower, the wait is longer.
 */
export async function eventually<T>(
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { withinMs = WAIT_MS, what = 'the condition' }: { withinMs?: number; what?: string | (() => string) } = {},
): Promise<T> {
  for (let looks = 0; looks * LOOK_EVERY_MS <= withinMs; looks += 1) {
    const value = await look();
    if (value !== undefined && value !== null && value !== false) return value;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`Timed out after ${withinMs} ms, waiting for ${typeof what === 'string' ? what : what()}.`);
}
