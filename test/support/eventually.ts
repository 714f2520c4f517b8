import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 25;

/** Waits for a condition instead of a time: resolves with the first value that is neither undefined, null nor false. */
export async function eventually<T>(
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { withinMs = 15_000, what = 'the condition' }: { withinMs?: number; what?: string } = {},
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== null && value !== false) return value;
    if (Date.now() > until) throw new Error(`Waited ${withinMs} ms in vain for ${what}.`);
    await pause(LOOK_EVERY_MS);
  }
}
