import { Worker } from 'node:worker_threads';
import type { DryRunOfOne } from '../../domain/automations/dry-run/result.ts';
import type { DryRunner, DryStart, DryTask, LookAtHours } from '../../domain/automations/dry-run/task.ts';
import type { FromThread } from './messages.ts';

const WITHIN_MS = 10_000;
/** A busy machine takes long to load a thread, which is no fault of the automation. */
const LOAD_WITHIN_MS = 60_000;
const MAX_OLD_GENERATION_MB = 128;

/**
 * Runs the code of automations in a thread for each dry run: code that never ends is stopped with its thread, the
 * thread's memory is bounded, and its clock can be another one. The requests of the process go on meanwhile.
 */
export function dryRunInThreads({ withinMs = WITHIN_MS }: { withinMs?: number } = {}): DryRunner {
  return async (task, lookAtHours) => {
    if (task.starts.length === 0) return [];
    const runs = await runsOf(task, lookAtHours, withinMs);
    const [unfinished] = task.starts.slice(runs.length);
    const begun = runs.filter((run) => run !== null);
    return unfinished === undefined ? begun : [...begun, outOfBounds(unfinished)];
  };
}

async function runsOf(task: DryTask, lookAtHours: LookAtHours, withinMs: number): Promise<(DryRunOfOne | null)[]> {
  const runs: (DryRunOfOne | null)[] = [];
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: task,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_OLD_GENERATION_MB },
  });
  let timer = setTimeout(resolve, LOAD_WITHIN_MS);
  thread.on('message', (message: FromThread) => {
    if ('loaded' in message) {
      clearTimeout(timer);
      timer = setTimeout(resolve, withinMs);
    } else if ('run' in message) runs.push(message.run);
    else lookAtHours(message.hoursAtMs).then((opening) => thread.postMessage(opening), reject);
  });
  thread.on('error', (error: Error & { code?: string }) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve() : reject(error),
  );
  thread.on('exit', () => resolve());
  try {
    await over;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
  return runs;
}

const outOfBounds = ({ begun, atMs }: DryStart): DryRunOfOne => {
  const at = new Date(atMs).toISOString();
  return {
    begun: { ...begun, at },
    status: 'unfinished',
    reason: 'out_of_bounds',
    error: null,
    endedAt: at,
    steps: [],
  };
};
