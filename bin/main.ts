import { loadEnvFile } from './settings/env-file.ts';
import { hasCode, reasonOf } from '../local/embedded/error-reason.ts';
import { sayStage } from './stage.ts';
import type { Stoppable } from './stoppable.ts';

/** Each half is loaded when it is asked for: the API half needs neither the worker's native bridge nor the sandbox. */
const HALVES: Record<string, (stopping: AbortSignal) => Promise<Stoppable>> = {
  async all(stopping) {
    // A first start loads the program for seconds, and would show nothing meanwhile.
    sayStage('Loading the program');
    return (await import('./all.ts')).runAll(stopping);
  },
  api: async (stopping) => (await import('./api.ts')).runApi(stopping),
  worker: async (stopping) => (await import('./worker.ts')).runWorker(stopping),
};

/**
 * Starts the half that the word names (or everything without a word), and stops it in order when the process is told
 * to.
 */
export async function main(words: string[]): Promise<void> {
  const [half = 'all'] = words;
  const stopping = onSignal();
  try {
    const run = Object.hasOwn(HALVES, half) && words.length <= 1 ? HALVES[half] : undefined;
    const envFile = loadEnvFile();
    if (!run) process.exit(await runOther(words, stopping));
    const { envFileNotice } = await import('./settings/env-file-notice.ts');
    const notice = envFileNotice(envFile);
    if (notice !== null) console.error(`  ${notice}`);
    const running = await run(stopping);
    await Promise.race([aborted(stopping), running.ended]);
    await running.stop();
    process.exit(running.failed ? 1 : 0);
  } catch (error) {
    // The process was told to stop before it ran. Everything that had been started is stopped, so there is nothing to
    // explain.
    if (stopping.aborted && isAbort(error)) process.exit(0);
    console.error(sentence(error));
    process.exit(1);
  }
}

/** Runs a word that names no half as a command for builders. */
async function runOther(words: string[], stopping: AbortSignal): Promise<number> {
  const { runCommand, unknownCommand } = await import('./cli/main.ts');
  const code = await runCommand(words, stopping);
  if (code !== undefined) return code;
  console.error(unknownCommand(words));
  return 2;
}

/**
 * Ctrl-C reaches the process twice: from the terminal, and forwarded by npm. Both count as one signal within this time.
 */
const SAME_SIGNAL_WITHIN_MS = 1_000;

/**
 * Listens from the first moment on, so that an interrupted start leaves nothing behind. A second signal ends the
 * process at once.
 */
function onSignal(): AbortSignal {
  const stopping = new AbortController();
  let toldAt: number | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (toldAt !== null && performance.now() - toldAt > SAME_SIGNAL_WITHIN_MS) process.exit(130);
      toldAt ??= performance.now();
      stopping.abort();
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

/** These errors are known by name, because their modules are loaded only with the half that throws them. */
const OF_A_PERSON = new Set(['StartupError', 'ConfigError', 'DatabaseUnreachable']);

/** Returns one sentence for an error that a person can act on, and the stack for a fault of ours. */
function sentence(error: unknown): string {
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) {
    return `The disk is full (${reasonOf(error)}): free space, or set DATA_DIR to a directory on another disk, then start again. Nothing that was accepted is lost.`;
  }
  if (error instanceof Error && OF_A_PERSON.has(error.name)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
