import { ConfigError } from '../config.ts';
import { StartupError } from '../embedded/startup-error.ts';
import type { Stoppable } from './stoppable.ts';

/** Loaded when asked for: the API half needs neither the worker's native bridge nor the sandbox. */
const HALVES: Record<string, (stopping: AbortSignal) => Promise<Stoppable>> = {
  all: async (stopping) => (await import('./all.ts')).runAll(stopping),
  api: async (stopping) => (await import('./api.ts')).runApi(stopping),
  worker: async (stopping) => (await import('./worker.ts')).runWorker(stopping),
};

/** Starts what the first word names (everything without one) and stops it in order when the process is told to. */
export async function main([half = 'all']: string[]): Promise<void> {
  const stopping = onSignal();
  const run = HALVES[half];
  if (!run) {
    console.error(`There is no "${half}": start with nothing, "api" or "worker".`);
    process.exit(2);
  }
  try {
    const running = await run(stopping);
    await Promise.race([aborted(stopping), running.ended]);
    await running.stop();
    process.exit(running.failed ? 1 : 0);
  } catch (error) {
    // Told to stop before it ran: what had been started is stopped, and there is nothing to explain.
    if (stopping.aborted && isAbort(error)) process.exit(0);
    console.error(sentence(error));
    process.exit(1);
  }
}

/** From the first moment on, so that a start that is interrupted leaves nothing behind. A second signal does not wait. */
function onSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopping.abort();
      process.once(signal, () => process.exit(130));
    });
  }
  return stopping.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
    if (signal.aborted) resolve();
  });
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** What a person can act on is one sentence; what is our fault comes with its stack. */
function sentence(error: unknown): string {
  if (error instanceof StartupError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
