import { Batches } from '../../../domain/batches.ts';
import type { EndpointRun } from './endpoint-run.ts';

const AFTER_FAILURE_MS = 1_000;
const MAX_FAILURES_IN_A_ROW = 3;

/** Collects endpoints of which something is to be read, and hands them on in batches, one batch at a time. */
export class RunBatches extends Batches<EndpointRun> {
  /** `read` must not fail: it hands what it could not read to `tryLater`. */
  constructor(maxRuns: number, read: (batch: readonly EndpointRun[]) => Promise<void>) {
    super({ most: maxRuns, run: read });
  }

  tryLater(runs: readonly EndpointRun[]): void {
    if (runs.length === 0) return;
    setTimeout(() => {
      for (const run of runs) if (!run.isOver) this.add(run);
    }, AFTER_FAILURE_MS).unref();
  }
}

/**
 * Reads each of several alone, because one with a row that cannot be read must not fail the others. Answers those that
 * were not read.
 */
export async function eachAlone<T>(all: readonly T[], isRead: (one: T) => Promise<boolean>): Promise<T[]> {
  const left: T[] = [];
  let failures = 0;
  for (const one of all) {
    // Several failures in a row most likely mean a failed database.
    const wasRead = failures < MAX_FAILURES_IN_A_ROW && (await isRead(one));
    failures = wasRead ? 0 : failures + 1;
    if (!wasRead) left.push(one);
  }
  return left;
}
