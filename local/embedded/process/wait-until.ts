import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
  timeoutMs: number;
  everyMs: number;
}

/** Asks until the condition answers true. Returns false when the time is up. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, everyMs }: Patience,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() >= deadline) return false;
    await sleep(everyMs);
  }
}
