import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 60_000;

/** Repeats `look` until it returns something, so that a machine under load only makes the demo slower. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) throw new Error(`Waited ${patienceMs / 1_000} s in vain for ${what}.`);
    await pause(LOOK_EVERY_MS);
  }
}
