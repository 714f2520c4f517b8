import { join } from 'node:path';
import { runCommand } from '../process/run-command.ts';
import { temporalVersion } from './version.ts';

export interface ServerChoices {
  namespace: string;
  searchAttributes: Record<string, 'Keyword'>;
  dynamicConfig?: Record<string, boolean | number | string> | undefined;
  inMemory?: boolean | undefined;
  headless?: boolean | undefined;
  /** Makes the server keep less of its histories in memory, for a machine that has other things to do. */
  isSmall?: boolean | undefined;
}

const DYNAMIC_CONFIG: Record<string, boolean | number | string> = {
  // Fairness keys do nothing without this setting.
  'matching.enableFairness': true,
  'frontend.WorkflowPauseEnabled': true,
  // One node needs no forwarding between partitions, and keeps a tighter order.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // The server works on 512 tasks of each kind at once by default. With little CPU none of them ends before its own
  // deadline, and each begins again. Its store has one connection, so more at once are not faster.
  'history.transferProcessorSchedulerWorkerCount': 4,
  'history.timerProcessorSchedulerWorkerCount': 4,
  'history.visibilityProcessorSchedulerWorkerCount': 2,
  'history.memoryTimerProcessorSchedulerWorkerCount': 2,
};

const SMALL: Record<string, number> = {
  'history.hostLevelCacheMaxSize': 2_000,
  'history.hostLevelEventsCacheMaxSizeBytes': 16_777_216,
};

/** Returns the arguments with which `temporal` starts the server, except its ports. */
export async function serverArguments(binary: string, dataDir: string, choices: ServerChoices): Promise<string[]> {
  const help = ['server', 'start-dev', '--help'];
  const [version, { output }] = await Promise.all([
    temporalVersion(binary),
    runCommand(binary, help, { env: {}, timeoutMs: 10_000 }),
  ]);
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--log-format', 'json', '--log-level', 'warn'];
  args.push('--namespace', choices.namespace);
  if (choices.inMemory !== true) {
    // The schema is made only with a new file and may not fit another version's server, so each version has a file of
    // its own.
    args.push('--db-filename', join(dataDir, `temporal-${version ?? 'unknown'}.db`));
    // With these two settings a kill -9 loses nothing that was answered.
    args.push('--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=1');
  }
  for (const [name, type] of Object.entries(choices.searchAttributes)) {
    args.push('--search-attribute', `${name}=${type}`);
  }
  for (const [key, value] of Object.entries({
    ...DYNAMIC_CONFIG,
    ...(choices.isSmall === true ? SMALL : {}),
    ...choices.dynamicConfig,
  })) {
    args.push('--dynamic-config-value', `${key}=${JSON.stringify(value)}`);
  }
  if (choices.headless === true) args.push('--headless');
  // This flag is recent, so the person's own Temporal may not know it.
  else if (output.includes('--ui-disable-news-fetch')) args.push('--ui-disable-news-fetch');
  return args;
}
