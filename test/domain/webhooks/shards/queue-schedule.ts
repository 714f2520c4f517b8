import { Ended } from '../../../../domain/webhooks/shards/ended.ts';
import { EndpointQueue } from '../../../../domain/webhooks/shards/queue.ts';
import type { LaneReading } from '../../../../domain/webhooks/shards/lane.ts';
import type { Taken } from '../../../../domain/webhooks/shards/pending.ts';
import type { Reading } from '../../../../domain/webhooks/shards/horizon.ts';
import { SimulatedRows } from './simulated-rows.ts';
import type { SimulatedRow } from './simulated-rows.ts';

const ID = 'whe_1';
const STEPS = 120;
const PAGE = 4;

/** A reading that was begun; it sees the rows of one moment, and its answer comes later. */
interface Open<R> {
  asked: R;
  seen: { rows: SimulatedRow[]; version: number } | null;
}

/** A queue over rows that change, with the answers of readings and writings in any order. */
export class QueueSchedule {
  readonly #chance: () => number;
  readonly #rows = new SimulatedRows();
  readonly #queue: EndpointQueue;
  readonly #taken: Taken[] = [];
  readonly #delivered = new Map<string, number>();
  readonly #lanes: Open<LaneReading>[] = [];
  #tail: Open<number> | null = null;
  #page: Open<Reading> | null = null;
  #cursor = 0;
  #dueUntil = new Date(0);
  #nowMs = 0;
  /** Deliveries that somebody has put back, of which each may be posted once more. */
  readonly #sentAgain = new Map<string, number>();

  constructor(chance: () => number) {
    this.#chance = chance;
    this.#queue = new EndpointQueue(2 + Math.floor(chance() * 6), new Ended());
    if (chance() < 0.5) {
      for (let each = 0; each < 30; each += 1) this.#add();
      this.#cursor = this.#rows.version;
      this.#queue.reset();
    }
  }

  /** Runs a schedule and then everything to its end. Answers what was wrong; null when nothing was. */
  run(): string | null {
    for (let step = 0; step < STEPS; step += 1) {
      const fault = this.#step(this.#chance());
      if (fault !== null) return fault;
    }
    for (let step = 0; step < 5_000 && this.#rows.pending(ID).length > 0; step += 1) {
      this.#nowMs += 500;
      const fault = this.#step(0.3 + 0.7 * this.#chance(), true);
      if (fault !== null) return fault;
    }
    const left = this.#rows.pending(ID);
    if (left.length > 0) return `${left.length} are never posted, the first is ${JSON.stringify(left[0])}`;
    return null;
  }

  #step(which: number, toEnd = false): string | null {
    if (which < 0.15) this.#add();
    else if (which < 0.2) this.#sendAgain();
    else if (which < 0.22) this.#queue.reset();
    else if (which < 0.3) this.#nowMs += 1_000;
    else if (which < 0.4) this.#stepTail();
    else if (which < 0.5) this.#stepPage();
    else if (which < 0.6) this.#stepLanes();
    else if (which < 0.8) return this.#take();
    else this.#finish(toEnd || this.#chance() < 0.7);
    return null;
  }

  #add(): void {
    this.#rows.add(ID, `lane ${Math.floor(this.#chance() * 4)}`, this.#nowMs);
  }

  #sendAgain(): void {
    const over = [...this.#rows.rows.values()].filter(({ status }) => status === 'delivered');
    const row = over[Math.floor(this.#chance() * over.length)];
    if (!row) return;
    this.#sentAgain.set(row.id, (this.#sentAgain.get(row.id) ?? 0) + 1);
    this.#rows.change(row, {
      status: 'pending',
      nextAttemptAt: new Date(this.#nowMs),
      outOfOrder: this.#chance() < 0.3,
    });
  }

  #stepTail(): void {
    if (!this.#tail) this.#tail = { asked: this.#cursor, seen: null };
    else if (!this.#tail.seen) {
      this.#tail.seen = { rows: this.#rows.since(this.#tail.asked), version: this.#rows.version };
    } else {
      for (const row of this.#tail.seen.rows) this.#queue.put(row, this.#nowMs);
      this.#cursor = this.#tail.seen.version;
      this.#tail = null;
      const until = new Date(this.#nowMs);
      if (this.#queue.isSieved) {
        for (const row of this.#rows.due(this.#dueUntil, until, Infinity)) this.#queue.put(row, this.#nowMs);
      }
      this.#dueUntil = until;
    }
  }

  #stepPage(): void {
    if (!this.#page) {
      if (this.#queue.needsPage) this.#page = { asked: this.#queue.beginPage(), seen: null };
    } else if (!this.#page.seen) {
      this.#page.seen = { rows: this.#rows.page(ID, this.#page.asked.after, PAGE), version: 0 };
    } else {
      const { asked, seen } = this.#page;
      this.#queue.takePage(asked, seen.rows, seen.rows.length < PAGE, this.#nowMs);
      this.#page = null;
    }
  }

  #stepLanes(): void {
    for (const asked of this.#queue.beginLanes(2)) this.#lanes.push({ asked, seen: null });
    const [open] = this.#lanes;
    if (!open) return;
    if (!open.seen) {
      const { lane, after } = open.asked;
      open.seen = { rows: this.#rows.lane(ID, lane, after, PAGE), version: 0 };
    } else {
      this.#lanes.shift();
      this.#queue.takeLane(open.asked, open.seen.rows, open.seen.rows.length < PAGE, this.#nowMs);
    }
  }

  #take(): string | null {
    const taken = this.#queue.take(this.#nowMs);
    if (!taken) return null;
    const row = this.#rows.rows.get(taken.delivery.id);
    if (row?.status !== 'pending') return `${taken.delivery.id} is posted although it is ${row?.status}`;
    // Rows that were put back and not yet read are unknown.
    const before = this.#rows.before(row).filter(({ version }) => version <= this.#cursor);
    if (before.length > 0) return `${row.id} is posted before ${before[0]?.id} of its lane`;
    if (this.#taken.some(({ delivery }) => delivery.id === row.id)) return `${row.id} is posted twice at a time`;
    this.#taken.push(taken);
    return null;
  }

  /** The record of an attempt is committed, and its writer goes on. */
  #finish(wentWell: boolean): void {
    const [taken] = this.#taken.splice(Math.floor(this.#chance() * this.#taken.length), 1);
    if (!taken) return;
    const { delivery } = taken;
    const row = this.#rows.rows.get(delivery.id);
    if (!row) return;
    const later = { attempts: row.attempts + 1, ladderStep: row.ladderStep + 1, dueAtMs: this.#nowMs + 5_000 };
    row.attempts = later.attempts;
    if (wentWell) {
      row.status = 'delivered';
      this.#delivered.set(row.id, (this.#delivered.get(row.id) ?? 0) + 1);
      this.#queue.end(delivery, later.attempts, this.#nowMs);
    } else {
      Object.assign(row, { ladderStep: later.ladderStep, nextAttemptAt: new Date(later.dueAtMs) });
      this.#queue.putBack(delivery, later, this.#nowMs);
    }
  }
}
