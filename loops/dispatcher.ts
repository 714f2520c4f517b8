import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/engine/database.ts';
import type { FindPhone } from '../db/network/hidden-id.ts';
import type { Log } from '../domain/log.ts';
import { Loop } from '../domain/loop.ts';
import { BatchLeases } from './batch-leases.ts';
import { BatchTurns } from './batch-turns.ts';
import type { SendOptions } from './dispatch/send-dispatch.ts';
import { HandOvers } from './hand-over.ts';
import { Releaser } from './releaser.ts';
import { owedSweep, phoneSweep } from './sweeps.ts';
import { TemporalGate } from './temporal-gate.ts';
import type { TemporalGateOf } from './temporal-gate.ts';

export interface DispatcherOptions extends Pick<SendOptions, 'client' | 'eager'>, TemporalGateOf {
  database: Database;
  /** Asks the network which phone number a hidden id belongs to. */
  findPhone: FindPhone;
  log: Pick<Log, 'warn' | 'error'>;
}

/** While a batch is handed over, which takes as long as its slowest call, what comes meanwhile goes with the next. */
const BATCHES_AT_ONCE = 3;
const AFTER_FAILURE_MS = 1_000;
/** A stop takes no longer, whatever does not answer. */
const STOP_WITHIN_MS = 5_000;
/** After the last call of a stop its outcomes are written. */
const RECORD_MS = 1_000;

/**
 * Hands the promises of the dispatch table to Temporal, and runs the looks that make promises due. One dispatcher runs
 * in every api and worker process.
 */
export class Dispatcher {
  readonly #gate: TemporalGate;
  readonly #leases: BatchLeases;
  readonly #handOvers: HandOvers;
  /** One round at a time looks for dispatches or rests. */
  readonly #turns = new BatchTurns();
  /** The parts that begin and end with the dispatcher. */
  readonly #parts: readonly { start(): unknown; stop(): Promise<void> }[];
  #deafen = (): void => undefined;

  constructor(options: DispatcherOptions) {
    const { database, findPhone, log } = options;
    const leases = new BatchLeases(database);
    const gate = new TemporalGate(options, () => database.wakeups.serve('dispatch', () => leases.ring()));
    this.#leases = leases;
    this.#gate = gate;
    this.#handOvers = new HandOvers({ ...options, gate, leases });
    const failed = (error: unknown): void =>
      log.warn({ err: error }, 'a dispatcher round failed; the engine retries it');
    const round = (stop: AbortSignal): Promise<void> => this.#round(stop);
    this.#parts = [
      ...Array.from({ length: BATCHES_AT_ONCE }, () => new Loop({ round, failed, afterFailureMs: AFTER_FAILURE_MS })),
      new Releaser(database, (error, sessionId) =>
        log.warn({ err: error, sessionId }, 'a release failed; the engine retries it'),
      ),
      phoneSweep(database, findPhone, log),
      owedSweep(database, log),
    ];
  }

  /** True while the breaker is open: during an outage of Temporal, not while it is merely slow. */
  get temporalDown(): boolean {
    return this.#gate.reach.isDown;
  }

  start(): void {
    this.#deafen = this.#leases.listen();
    for (const part of this.#parts) part.start();
  }

  /**
   * Ends after the current batches, or a few seconds later when Temporal does not answer. Dispatches that were not
   * handed over stay in the table.
   */
  async stop(): Promise<void> {
    const ended = Promise.all(this.#parts.map((part) => part.stop()));
    this.#deafen();
    this.#gate.close();
    this.#leases.ring();
    const giveUp = (): void => this.#gate.underWay.forEach((end) => end());
    const timer = setTimeout(giveUp, STOP_WITHIN_MS - RECORD_MS);
    await Promise.race([ended, pause(STOP_WITHIN_MS, undefined, { ref: false })]);
    clearTimeout(timer);
  }

  async #round(stop: AbortSignal): Promise<void> {
    const hasHandedOver = await this.#turns.round(async () => {
      await this.#leases.rest(() => stop.aborted || this.#gate.reach.isDoubtful);
      const passed = stop.aborted ? undefined : await this.#gate.pass(stop);
      if (!passed) return undefined;
      const { attributes, isTrial } = passed;
      const batch = await this.#leases.next(isTrial, (size) => this.#turns.sizeOf(size));
      if (!batch) return undefined;
      const handOver = (): Promise<void> => this.#handOvers.run(batch, { attributes, stop });
      return { size: batch.dispatches.length, isFull: batch.isFull, handOver };
    });
    // Another round rests now, and would not notice.
    if (hasHandedOver && this.#gate.mustAsk) this.#leases.ring();
  }
}
