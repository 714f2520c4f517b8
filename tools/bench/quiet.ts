import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const QUIET_BELOW = 1;
const PATIENCE_MS = 5 * 60_000;
const LOOK_EVERY_MS = 2_000;

/**
 * Waits for a load average of one minute below 1.0 and returns it; with `anyway` it returns at once. Figures of a busy
 * machine compare with nothing, so the wait ends with an error.
 */
export async function untilQuiet({
  anyway = false,
  below = QUIET_BELOW,
  patienceMs = PATIENCE_MS,
} = {}): Promise<number> {
  const deadline = performance.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    const load = loadavg()[0] ?? 0;
    if (anyway || load < below) return load;
    if (performance.now() >= deadline)
      throw new Error(
        `The machine's load is ${load.toFixed(2)} after ${patienceMs / 1_000} s, and must be below ${below}. ` +
          'End what else it runs, or measure with --anyway, which marks the table.',
      );
    if (isFirst) console.log(`  load ${load.toFixed(2)}: waits up to ${patienceMs / 60_000} minutes for ${below}`);
    await pause(LOOK_EVERY_MS);
  }
}
