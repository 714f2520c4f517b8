import type { EndpointRun } from './endpoint-run.ts';
import type { ShardStore } from './store.ts';

const MAX_BATCH = 200;
const AFTER_FAILURE_MS = 1_000;
const MAX_FAILURES_IN_A_ROW = 3;

export interface LoaderOf {
  store: Pick<ShardStore, 'endpoints'>;
  /** Called when the rows have said how an endpoint may be attempted; with false when it was deleted. */
  learned: (run: EndpointRun, isThere: boolean) => void;
  failed: (error: unknown) => void;
}

/** Reads how endpoints may be attempted, for many in one statement. Until then they get nothing. */
export class Loader {
  readonly #of: LoaderOf;
  readonly #wanted = new Set<EndpointRun>();
  #reading: ReadonlySet<EndpointRun> = new Set();
  #isWorking = false;

  constructor(of: LoaderOf) {
    this.#of = of;
  }

  get isIdle(): boolean {
    return !this.#isWorking && this.#wanted.size === 0;
  }

  /** Reads an endpoint that is not known yet. */
  ask(run: EndpointRun): void {
    if (!this.#reading.has(run)) this.want(run);
  }

  /** Reads an endpoint anew, because it has changed. */
  want(run: EndpointRun): void {
    run.isKnown = false;
    this.#wanted.add(run);
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#work();
  }

  async #work(): Promise<void> {
    await Promise.resolve();
    while (this.#wanted.size > 0) {
      const batch = [...this.#wanted].slice(0, MAX_BATCH);
      for (const run of batch) this.#wanted.delete(run);
      this.#reading = new Set(batch);
      await this.#load(batch.filter(({ isOver }) => !isOver));
      this.#reading = new Set();
    }
    this.#isWorking = false;
  }

  async #load(batch: readonly EndpointRun[]): Promise<void> {
    try {
      await this.#read(batch);
    } catch (error) {
      this.#of.failed(error);
      this.#tryLater(batch.length > 1 ? await this.#eachAlone(batch) : batch);
    }
  }

  /**
   * Reads each endpoint alone, because one whose row cannot be read must not keep the others from being known. Answers
   * those that were not read.
   */
  async #eachAlone(batch: readonly EndpointRun[]): Promise<EndpointRun[]> {
    const left: EndpointRun[] = [];
    let failures = 0;
    for (const run of batch) {
      // Where several fail in a row, it is most likely the database.
      if (failures < MAX_FAILURES_IN_A_ROW) {
        const isRead = await this.#read([run]).then(
          () => true,
          () => false,
        );
        failures = isRead ? 0 : failures + 1;
        if (isRead) continue;
      }
      left.push(run);
    }
    return left;
  }

  #tryLater(runs: readonly EndpointRun[]): void {
    if (runs.length === 0) return;
    setTimeout(() => {
      for (const run of runs) if (!run.isOver) this.want(run);
    }, AFTER_FAILURE_MS).unref();
  }

  async #read(batch: readonly EndpointRun[]): Promise<void> {
    if (batch.length === 0) return;
    const found = await this.#of.store.endpoints(batch.map(({ id }) => id));
    for (const run of batch) {
      // Somebody may have decided about it meanwhile; then it is read once more.
      if (run.isOver || this.#wanted.has(run)) continue;
      const endpoint = found.get(run.id);
      if (endpoint) run.learn(endpoint);
      this.#of.learned(run, endpoint !== undefined);
    }
  }
}
