import type { EndpointRun } from './endpoint-run.ts';

const AFTER_FAILURE_MS = 1_000;
const MAX_FAILURES_IN_A_ROW = 3;

/** Collects endpoints of which something is to be read, and hands them on in batches, one batch at a time. */
export class RunBatches {
  readonly #maxRuns: number;
  readonly #read: (batch: readonly EndpointRun[]) => Promise<void>;
  readonly #wanted = new Set<EndpointRun>();
  #isWorking = false;

  /** `read` must not fail: it hands what it could not read to `tryLater`. */
  constructor(maxRuns: number, read: (batch: readonly EndpointRun[]) => Promise<void>) {
    this.#maxRuns = maxRuns;
    this.#read = read;
  }

  get isIdle(): boolean {
    return !this.#isWorking && this.#wanted.size === 0;
  }

  /** Whether the endpoint waits for the next batch. */
  has(run: EndpointRun): boolean {
    return this.#wanted.has(run);
  }

  add(run: EndpointRun): void {
    this.#wanted.add(run);
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#work();
  }

  tryLater(runs: readonly EndpointRun[]): void {
    if (runs.length === 0) return;
    setTimeout(() => {
      for (const run of runs) if (!run.isOver) this.add(run);
    }, AFTER_FAILURE_MS).unref();
  }

  async #work(): Promise<void> {
    // Endpoints that were woken by the same reading ask in the same turn of the event loop.
    await Promise.resolve();
    while (this.#wanted.size > 0) {
      const batch = [...this.#wanted].slice(0, this.#maxRuns);
      for (const run of batch) this.#wanted.delete(run);
      await this.#read(batch);
    }
    this.#isWorking = false;
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
