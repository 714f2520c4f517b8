import type { Log } from '../domain/log.ts';

/** The parts of a start, each with its line for a person who waits. */
const STAGES = {
  program: 'Program loaded',
  schema: 'Database schema is up to date',
  database: 'Connected to the database',
  deliveries: 'Delivering webhooks',
  api: 'API accepts requests',
  'connection to Temporal': 'Connected to Temporal',
  workers: 'Workers are running',
} as const;

interface Told {
  log: Pick<Log, 'info'>;
  /** Shows a line to the person who waits; left out where only the log is read. */
  say?: ((line: string) => void) | undefined;
}

/** Reports that a part of the start is done, so that a slow start shows which one takes long. */
export function logStage({ log, say }: Told, stage: keyof typeof STAGES): void {
  log.info({ stage, sinceStartMs: sinceExecMs() }, 'a stage of the start is done');
  say?.(STAGES[stage]);
}

/** The one clock of a start: it runs since the process began, so it includes the time in which modules are loaded. */
export function sinceExecMs(): number {
  return Math.round(performance.now());
}

/** Shows a line of a start with its time. */
export function sayStage(line: string): void {
  console.log(`  ${(sinceExecMs() / 1_000).toFixed(1).padStart(5)} s  ${line}`);
}
