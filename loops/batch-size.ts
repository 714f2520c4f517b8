// A file of its own, because the dispatcher is as long as a file may be.

const MAX_BATCH = 50;
/** Fairness holds within a batch only. In a smaller one the work of an agency with a great share takes all places. */
const MIN_BATCH = 20;
const MORE = 8;
/** A batch that takes longer keeps a person's reply waiting, which can only go with the next. */
const SLOW_MS = 1_000;

/**
 * Sizes the dispatcher's batches by how soon the last ones ended. A Temporal that is slow gets few calls at once, so
 * that those end; one that is quick gets many.
 */
export class BatchSize {
  #size = MAX_BATCH;

  get size(): number {
    return this.#size;
  }

  ended(tookMs: number): void {
    if (tookMs > SLOW_MS) this.#size = Math.max(MIN_BATCH, Math.floor(this.#size / 2));
    else this.#size = Math.min(MAX_BATCH, this.#size + MORE);
  }
}
