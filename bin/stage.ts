import type { Log } from '../domain/log.ts';

/** Logs that a part of the start is there, and the time since the process began, so that a slow start shows where. */
export function logStage(log: Pick<Log, 'info'>, stage: string): void {
  log.info({ stage, sinceStartMs: Math.round(performance.now()) }, 'a stage of the start is done');
}
