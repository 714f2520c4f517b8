import { GONE_MS, KEEP_EVERY_MS, LEASE_MS, Leases, MARGIN_MS } from '../../../../activities/webhooks/shards/leases.ts';
import type { LeasingProcess } from '../../../../activities/webhooks/shards/leases.ts';
import type { KeptShards, ShardsAsked } from '../../../../db/webhooks/shards/leases.ts';
import { Heap } from '../../../../domain/webhooks/shards/heap.ts';
import { ownerOf } from '../../../../domain/webhooks/shards/rendezvous.ts';

/** A deliberate fault of a worker or of the database. */
export type Mutant =
  | 'counts its lease from the answer'
  | 'never looks at its lease'
  | 'keeps what it has lost'
  | 'gives back what it still posts'
  | 'takes the shards of the living'
  | 'counts on all of its lease'
  | 'trusts a clock that stands still';

/** The model uses only these shards, so that it is fast. */
const SHARDS = 8;
const ANSWER_LOST_AFTER_MS = 4_000;

interface Row {
  owner: string | null;
  token: string | null;
}

/** The rows of shards and workers, as `keep_shards` changes them; its clock is the simulated time. */
class SimulatedShards {
  readonly rows: Row[] = Array.from({ length: SHARDS }, () => ({ owner: null, token: null }));
  readonly #renewedAt = new Map<string, { atMs: number; leaseMs: number }>();
  readonly #mutant: Mutant | null;
  readonly #isGone: (worker: string) => boolean;
  readonly #gaveBack: (worker: string, shard: number) => void;
  #tokens = 0;

  constructor(
    mutant: Mutant | null,
    { isGone, gaveBack }: { isGone: (worker: string) => boolean; gaveBack: (worker: string, shard: number) => void },
  ) {
    this.#mutant = mutant;
    this.#isGone = isGone;
    this.#gaveBack = gaveBack;
  }

  isLive(worker: string, atMs: number): boolean {
    const renewed = this.#renewedAt.get(worker);
    if (!renewed || renewed.atMs + renewed.leaseMs <= atMs) return false;
    return renewed.atMs + GONE_MS > atMs || !this.#isGone(worker);
  }

  keep({ workerId, wants, givesBack, leaseMs }: ShardsAsked, atMs: number): KeptShards {
    this.#renewedAt.set(workerId, { atMs, leaseMs });
    const isFree = ({ owner }: Row) =>
      owner === null || !this.isLive(owner, atMs) || this.#mutant === 'takes the shards of the living';
    for (const shard of givesBack) {
      if (this.rows[shard]?.owner !== workerId) continue;
      this.rows[shard] = { owner: null, token: null };
      this.#gaveBack(workerId, shard);
    }
    for (const shard of wants) {
      const row = this.rows[shard];
      if (row && isFree(row)) this.rows[shard] = { owner: workerId, token: `token ${(this.#tokens += 1)}` };
    }
    const held = this.rows.flatMap(({ owner, token }, shard) =>
      owner === workerId && token !== null ? [{ shard, token }] : [],
    );
    const workers = [...this.#renewedAt.keys()].filter((worker) => this.isLive(worker, atMs)).toSorted();
    return { held, workers, free: [] };
  }

  leave(workerId: string): void {
    this.#renewedAt.delete(workerId);
    for (const [shard, { owner }] of this.rows.entries())
      if (owner === workerId) this.rows[shard] = { owner: null, token: null };
  }
}

/** One worker: its loop, what it has on its way, and its clock, which began at a time of its own. */
class SimulatedWorker {
  readonly id: string;
  readonly leases: Leases;
  readonly inFlight = new Map<number, number>();
  readonly closing = new Set<number>();
  isCrashed = false;
  /** False while the server has no connection by which others know that it runs. It hears of that late, or never. */
  isConnected = true;
  stalledUntilMs = 0;
  /** The time for which its machine slept, while one of its clocks stood still. */
  sleptMs = 0;
  isKeeping = false;
  /** The belief of a mutant. */
  askedAtMs = -Infinity;
  answeredAtMs = -Infinity;
  readonly everHeld = new Map<number, string>();

  constructor(id: string, store: ConstructorParameters<typeof Leases>[0], clocks: Omit<LeasingProcess, 'number'>) {
    this.id = id;
    this.leases = new Leases(store, id, { number: id, ...clocks });
  }
}

interface Event {
  atMs: number;
  order: number;
  run: () => void;
}

/** Workers and a database with crashes, stalls, skewed clocks, and requests and answers that are late or lost. */
export class SimulatedWorkers {
  readonly #chance: () => number;
  readonly #mutant: Mutant | null;
  readonly #shards: SimulatedShards;
  readonly #workers: SimulatedWorker[] = [];
  readonly #events = new Heap<Event>((one, other) =>
    one.atMs === other.atMs ? one.order < other.order : one.atMs < other.atMs,
  );
  #nowMs = 0;
  #order = 0;
  #ids = 0;
  #areFaultsOver = false;
  #fault: string | null = null;

  constructor(chance: () => number, mutant: Mutant | null = null) {
    this.#chance = chance;
    this.#mutant = mutant;
    const find = (id: string) => this.#workers.find((each) => each.id === id);
    this.#shards = new SimulatedShards(mutant, {
      isGone: (id) => find(id)?.isConnected === false,
      gaveBack: (id, shard) => {
        if (find(id)?.inFlight.has(shard)) this.#fault ??= `${id} gave back shard ${shard} with an attempt on its way`;
      },
    });
  }

  /** Runs a schedule. Answers what was wrong; null when nothing was. */
  async run(): Promise<string | null> {
    for (let each = 0; each < 3; each += 1) this.#addWorker();
    await this.#until(6_000);
    for (let each = 0; each < 7 && this.#fault === null; each += 1) {
      this.#strike();
      await this.#until(this.#nowMs + this.#upTo(4_000));
    }
    this.#areFaultsOver = true;
    for (const worker of this.#workers) worker.stalledUntilMs = 0;
    if (this.#workers.every(({ isCrashed }) => isCrashed)) this.#addWorker();
    await this.#until(this.#nowMs + ANSWER_LOST_AFTER_MS + LEASE_MS + 5_000);
    return this.#fault ?? this.#unowned();
  }

  /** Every shard is with the worker that should have it, which is sure of it. */
  #unowned(): string | null {
    const living = this.#workers.filter(({ isCrashed }) => !isCrashed);
    const ids = living.map(({ id }) => id);
    for (let shard = 0; shard < SHARDS; shard += 1) {
      const owner = living.find(({ id }) => id === ownerOf(shard, ids));
      if (!owner?.leases.holds(shard) || !owner.leases.isSure) return `nobody posts for shard ${shard}`;
    }
    return null;
  }

  #strike(): void {
    const worker = this.#workers[Math.floor(this.#chance() * this.#workers.length)];
    const which = this.#chance();
    if (which < 0.2) this.#addWorker();
    else if (worker && which < 0.4) this.#crash(worker);
    else if (worker && which < 0.5) this.#disconnect(worker);
    else if (worker && which < 0.8) {
      worker.stalledUntilMs = this.#nowMs + this.#upTo(8_000);
      if (which < 0.6) worker.sleptMs += worker.stalledUntilMs - this.#nowMs;
    }
  }

  #crash(worker: SimulatedWorker): void {
    worker.isCrashed = true;
    worker.isConnected = false;
  }

  /** The worker lives on, and connects again after a while. */
  #disconnect(worker: SimulatedWorker): void {
    worker.isConnected = false;
    this.#after(this.#upTo(4_000), () => {
      worker.isConnected = !worker.isCrashed;
    });
  }

  #addWorker(): void {
    const id = `worker ${(this.#ids += 1)}`;
    const skewMs = (this.#chance() - 0.5) * 1e9;
    const store = {
      keep: (asked: ShardsAsked) => this.#ask((atMs) => this.#shards.keep(asked, atMs)),
      leave: () => Promise.resolve(this.#shards.leave(id)),
    };
    const worker: SimulatedWorker = new SimulatedWorker(id, store, {
      nowMs: () => this.#nowMs + skewMs - worker.sleptMs,
      wallMs: () => (this.#mutant === 'trusts a clock that stands still' ? 0 : this.#nowMs),
    });
    this.#workers.push(worker);
    this.#every(worker, KEEP_EVERY_MS, () => this.#keep(worker));
    this.#every(worker, 150, () => this.#post(worker));
  }

  /** A request and its answer each take a while, which in a partition is long or forever. */
  #ask<T>(work: (atMs: number) => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const isLost = () => !this.#areFaultsOver && this.#chance() < 0.1;
    const lateMs = () => (!this.#areFaultsOver && this.#chance() < 0.1 ? this.#upTo(5_000) : this.#upTo(20));
    this.#after(ANSWER_LOST_AFTER_MS, () => reject(new Error('No answer.')));
    if (!isLost()) {
      this.#after(lateMs(), () => {
        const answer = work(this.#nowMs);
        if (!isLost()) this.#after(lateMs(), () => resolve(answer));
      });
    }
    return promise;
  }

  #keep(worker: SimulatedWorker): void {
    if (worker.isKeeping) return;
    worker.isKeeping = true;
    const isClosed = (shard: number) =>
      this.#mutant === 'gives back what it still posts' || !worker.inFlight.has(shard);
    const closed = [...worker.closing].filter(isClosed);
    const askedAtMs = this.#nowMs;
    worker.leases.keep(closed).then(
      ({ lost }) =>
        this.#whenAwake(worker, () => {
          worker.askedAtMs = askedAtMs;
          worker.answeredAtMs = this.#nowMs;
          for (const { shard, token } of worker.leases.of(worker.leases.held)) worker.everHeld.set(shard, token);
          for (const shard of lost) worker.closing.delete(shard);
          const foreign = new Set(worker.leases.foreign);
          for (const shard of worker.closing) if (!foreign.has(shard)) worker.closing.delete(shard);
          for (const shard of foreign) worker.closing.add(shard);
          worker.isKeeping = false;
        }),
      () => void (worker.isKeeping = false),
    );
  }

  /** Posts one delivery of a shard, if the worker may. */
  #post(worker: SimulatedWorker): void {
    const shard = Math.floor(this.#chance() * SHARDS);
    const token = this.#tokenOf(worker, shard);
    if (token === undefined || !this.#isSure(worker) || worker.inFlight.has(shard)) return;
    if (worker.closing.has(shard)) return;
    const row = this.#shards.rows[shard];
    if (row?.token !== token) this.#fault ??= `${worker.id} posts for shard ${shard}, which ${row?.owner} has`;
    worker.inFlight.set(shard, this.#nowMs);
    this.#after(this.#upTo(400), () => worker.inFlight.delete(shard));
  }

  #tokenOf({ leases, everHeld }: SimulatedWorker, shard: number): string | undefined {
    return this.#mutant === 'keeps what it has lost' ? everHeld.get(shard) : leases.tokenOf(shard);
  }

  #isSure({ leases, askedAtMs, answeredAtMs }: SimulatedWorker): boolean {
    if (this.#mutant === 'never looks at its lease') return true;
    if (this.#mutant === 'counts its lease from the answer') return this.#nowMs < answeredAtMs + GONE_MS - MARGIN_MS;
    if (this.#mutant === 'counts on all of its lease') return this.#nowMs < askedAtMs + LEASE_MS - MARGIN_MS;
    return leases.isSure;
  }

  #every(worker: SimulatedWorker, everyMs: number, work: () => void): void {
    this.#after(everyMs * (0.5 + this.#chance()), () => {
      if (worker.isCrashed) return;
      this.#whenAwake(worker, work);
      this.#every(worker, everyMs, work);
    });
  }

  #whenAwake(worker: SimulatedWorker, work: () => void): void {
    if (worker.isCrashed) return;
    if (worker.stalledUntilMs <= this.#nowMs) work();
    else this.#after(worker.stalledUntilMs - this.#nowMs, () => this.#whenAwake(worker, work));
  }

  #upTo(ms: number): number {
    return this.#chance() * ms;
  }

  #after(ms: number, run: () => void): void {
    this.#events.push({ atMs: this.#nowMs + Math.max(ms, 0.001), order: (this.#order += 1), run });
  }

  /** Lets everything happen up to this time. */
  async #until(untilMs: number): Promise<void> {
    while (this.#fault === null) {
      const next = this.#events.least;
      if (!next || next.atMs > untilMs) break;
      this.#events.pop();
      this.#nowMs = next.atMs;
      next.run();
      // Awaited responses arrive before the next event.
      for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }
}
