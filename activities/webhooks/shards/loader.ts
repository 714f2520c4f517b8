import type { EndpointRun } from './endpoint-run.ts';
import { eachAlone, RunBatches } from './run-batches.ts';
import type { ShardStore } from './store.ts';

const MAX_BATCH = 200;

export interface LoaderOf {
  store: Pick<ShardStore, 'endpoints'>;
  /** Called when the rows have said how an endpoint may be attempted; with false when it was deleted. */
  learned: (run: EndpointRun, isThere: boolean) => void;
  failed: (error: unknown) => void;
}

/** Reads how endpoints may be attempted, for many in one statement. Until then they get nothing. */
export class Loader {
  readonly #of: LoaderOf;
  readonly #batches = new RunBatches(MAX_BATCH, (batch) => this.#loadBatch(batch));
  #reading: ReadonlySet<EndpointRun> = new Set();

  constructor(of: LoaderOf) {
    this.#of = of;
  }

  get isIdle(): boolean {
    return this.#batches.isIdle;
  }

  /** Reads an endpoint that is not known yet. */
  ask(run: EndpointRun): void {
    if (!this.#reading.has(run)) this.want(run);
  }

  /** Reads an endpoint anew, because it has changed. */
  want(run: EndpointRun): void {
    run.isKnown = false;
    this.#batches.add(run);
  }

  async #loadBatch(batch: readonly EndpointRun[]): Promise<void> {
    this.#reading = new Set(batch);
    await this.#load(batch.filter(({ isOver }) => !isOver));
    this.#reading = new Set();
  }

  async #load(batch: readonly EndpointRun[]): Promise<void> {
    try {
      await this.#read(batch);
    } catch (error) {
      this.#of.failed(error);
      this.#batches.tryLater(batch.length > 1 ? await eachAlone(batch, (run) => this.#isRead(run)) : batch);
    }
  }

  #isRead(run: EndpointRun): Promise<boolean> {
    return this.#read([run]).then(
      () => true,
      () => false,
    );
  }

  async #read(batch: readonly EndpointRun[]): Promise<void> {
    if (batch.length === 0) return;
    const found = await this.#of.store.endpoints(batch.map(({ id }) => id));
    for (const run of batch) {
      // Somebody may have decided about it meanwhile; then it is read once more.
      if (run.isOver || this.#batches.has(run)) continue;
      const endpoint = found.get(run.id);
      if (endpoint) run.learn(endpoint);
      this.#of.learned(run, endpoint !== undefined);
    }
  }
}
