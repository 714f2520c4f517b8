import { setTimeout as pause } from 'node:timers/promises';
import { isRolledBack } from '../../../db/engine/database.ts';
import { Batches } from '../../../domain/batches.ts';
import type { OutcomeRecord, WrittenOutcomes } from '../../../db/webhooks/shards/outcomes.ts';
import type { Leases } from './leases.ts';
import type { ShardStore } from './store.ts';

const MAX_BATCH = 500;
/** An outcome for which nothing waits is written at most this much later, together with those that come meanwhile. */
const WRITE_WITHIN_MS = 20;
const AFTER_FAILED_WRITE_MS = 500;
/** Outcomes that cannot be written are given up this long after the first failure. Then their attempts are repeated. */
const KEEP_MS = 50_000;

/** The outcome of an attempt, and what its writer tells of it. */
export interface Outcome {
  record: OutcomeRecord;
  /** False when nothing waits for the record, so that it may wait for others. */
  isAwaited: boolean;
  /** `lost`: it could not be written. `refused`: the delivery is not ours to go on with. */
  settle: (how: 'written' | 'refused' | 'lost') => void;
}

export interface OutcomesOf {
  store: Pick<ShardStore, 'write'>;
  leases: Pick<Leases, 'of'>;
  /** Called after the outcomes of a statement have been settled. */
  written: (endpointIds: ReadonlySet<string>, noted: WrittenOutcomes['noted']) => void;
  failed: (error: unknown) => void;
}

/**
 * Writes the outcomes of all attempts of the process, in the order in which they came. One statement is under way at a
 * time, and the next takes what has come meanwhile. A statement for each outcome would be most of what a delivery costs
 * while few events come.
 */
export class Outcomes {
  readonly #of: OutcomesOf;
  readonly #batches: Batches<Outcome>;
  /** Endpoints whose outcomes are being written alone, because a statement with others has failed. */
  readonly #alone = new Set<string>();
  /** Runs while all outcomes that wait may wait for others. */
  #timer: NodeJS.Timeout | null = null;
  #sentAtMs: number | null = null;
  /** When each outcome could not be written for the first time, by `performance.now()`. */
  readonly #failingSinceMs = new WeakMap<Outcome, number>();

  constructor(of: OutcomesOf) {
    this.#of = of;
    this.#batches = new Batches({
      most: MAX_BATCH,
      mayGo: ({ record }) => !this.#alone.has(record.endpointId),
      run: async (batch) => {
        this.#sentAtMs = performance.now();
        await this.#write(batch);
        this.#sentAtMs = null;
      },
    });
  }

  get isIdle(): boolean {
    return this.#batches.isIdle && this.#alone.size === 0;
  }

  /** When the statement under way was sent, by `performance.now()`; null when there is none. */
  get sentAtMs(): number | null {
    return this.#sentAtMs;
  }

  put(outcome: Outcome): void {
    this.#batches.hold(outcome);
    if (outcome.isAwaited || this.#batches.waiting >= MAX_BATCH) this.hurry();
    else if (!this.#batches.isRunning) this.#timer ??= setTimeout(() => this.hurry(), WRITE_WITHIN_MS);
  }

  /** Writes at once what waits, because something waits for it now. */
  hurry(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#batches.begin();
  }

  /** Forgets the outcomes of shards that this process has no more. */
  forget(shards: ReadonlySet<number>): void {
    this.#batches.remove(({ record }) => shards.has(record.shard));
  }

  async #write(batch: readonly Outcome[]): Promise<void> {
    const endpointIds = new Set(batch.map(({ record }) => record.endpointId));
    try {
      const results = batch.map(({ record }) => record);
      const leases = this.#of.leases.of(new Set(results.map(({ shard }) => shard)));
      const { refused, noted } = await this.#of.store.write({ leases, results });
      const isRefused = new Set(refused);
      for (const { record, settle } of batch) settle(isRefused.has(record.id) ? 'refused' : 'written');
      this.#of.written(endpointIds, noted);
    } catch (error) {
      this.#of.failed(error);
      // An endpoint whose outcomes fail must not take the others with it.
      if (endpointIds.size > 1 && isRolledBack(error)) {
        for (const id of endpointIds) void this.#writeAlone(id, batch);
      } else await this.#putBack(batch);
    }
  }

  async #writeAlone(endpointId: string, batch: readonly Outcome[]): Promise<void> {
    this.#alone.add(endpointId);
    await this.#write(batch.filter(({ record }) => record.endpointId === endpointId));
    this.#alone.delete(endpointId);
    this.#batches.begin();
  }

  async #putBack(batch: readonly Outcome[]): Promise<void> {
    const nowMs = performance.now();
    const lost: Outcome[] = [];
    const kept: Outcome[] = [];
    for (const outcome of batch) {
      const sinceMs = this.#failingSinceMs.get(outcome) ?? nowMs;
      this.#failingSinceMs.set(outcome, sinceMs);
      (nowMs - sinceMs > KEEP_MS ? lost : kept).push(outcome);
    }
    for (const { settle } of lost) settle('lost');
    if (lost.length > 0) this.#of.written(new Set(lost.map(({ record }) => record.endpointId)), []);
    if (kept.length === 0) return;
    await pause(AFTER_FAILED_WRITE_MS);
    this.#batches.putBack(kept);
  }
}
