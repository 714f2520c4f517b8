import { ConfigError } from '../config.ts';
import { StartupError } from '../embedded/startup-error.ts';
import { runAll } from './all.ts';
import { runApi } from './api.ts';
import type { Stoppable } from './stoppable.ts';
import { runWorker } from './worker.ts';

const HALVES: Record<string, () => Promise<Stoppable>> = { all: runAll, api: runApi, worker: runWorker };

/** Starts what the first word names (everything without one) and stops it in order when the process is told to. */
export async function main([half = 'all']: string[]): Promise<void> {
  const run = HALVES[half];
  if (!run) {
    console.error(`There is no "${half}": start with nothing, "api" or "worker".`);
    process.exit(2);
  }
  try {
    const running = await run();
    await told(running);
    await running.stop();
    process.exit(running.failed ? 1 : 0);
  } catch (error) {
    console.error(sentence(error));
    process.exit(1);
  }
}

/** Resolves when the process is asked to stop, or a part of it has failed. A second signal does not wait. */
async function told(running: Stoppable): Promise<void> {
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve();
        process.once(signal, () => process.exit(130));
      });
    }
  });
  await Promise.race([signalled, running.ended]);
}

/** What a person can act on is one sentence; what is our fault comes with its stack. */
function sentence(error: unknown): string {
  if (error instanceof StartupError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
