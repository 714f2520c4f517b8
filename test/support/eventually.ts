import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 25;
/** Long enough for a machine that does four other things; a condition that holds sooner ends the wait. */
const WAIT_MS = 45_000;

/** Waits for a condition instead of a time: resolves with the first value that is neither undefined, null nor false. */
export async function eventually<T>(
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { withinMs = WAIT_MS, what = 'the condition' }: { withinMs?: number; what?: string | (() => string) } = {},
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== null && value !== false) return value;
    if (Date.now() > until)
      throw new Error(`Waited ${withinMs} ms in vain for ${typeof what === 'string' ? what : what()}.`);
    await pause(LOOK_EVERY_MS);
  }
}
