import { AsyncLocalStorage } from 'node:async_hooks';
import { Tally } from '../../domain/places.ts';
import { mayTake } from '../../domain/shares.ts';

interface Work {
  owner: string;
  /** Its statements go before the others of the owner that wait. */
  goesFirst: boolean;
  /** True inside a statement, which has its place already. */
  hasPlace: boolean;
}

const works = new AsyncLocalStorage<Work>();

/** Requests of agencies have this part of the connections; the rest is left to what moves things by itself. */
const PART_OF_POOL = 0.75;

/** Runs work whose statements count to the agency. Work that stops something goes before what it stops. */
export function onBehalfOf<T>(agencyId: string, work: () => T, { goesFirst = false } = {}): T {
  return works.run({ owner: agencyId, goesFirst, hasPlace: false }, work);
}

/** Runs work that a request only sets off, so that its statements count to nobody. */
export function onNobodysBehalf<T>(work: () => T): T {
  return works.exit(work);
}

/**
 * While other agencies ask, too, this many statements of an agency begin at a time: each takes a part of the database's
 * processors from the others, so one request would wait for a share of each.
 */
const FEW = 2;
/** An agency is beside others for this long after their last statement. An agency alone needs no bound. */
const BESIDE_FOR_MS = 1_000;
/**
 * A statement that takes longer may wait for something, such as a lock, so it no longer holds up those of its agency.
 * The time includes the wait for a connection, so on a busy machine quick statements count as held up, too.
 */
const HELD_UP_MS = 250;

/** Gives the place back. */
type Leave = () => void;

interface Waiting {
  owner: string;
  enter: (leave: Leave) => void;
}

interface Asked {
  owner: string;
  at: number;
}

/**
 * Bounds how many statements and transactions run at a time for one agency, so that the slow requests of one do not
 * take the connections of all, nor do many quick ones take the database's time. Statements of nobody pass. Waiting
 * statements are served in order, but an agency that has its share delays no other.
 */
export class StatementPlaces {
  readonly #places: number;
  readonly #now: () => number;
  /** When each statement that runs began, by its owner. */
  readonly #begun = new Map<string, Map<symbol, number>>();
  /** The statements that wait: one queue goes before the other. */
  readonly #queues = { first: new Set<Waiting>(), others: new Set<Waiting>() };
  /** The number of waiting statements of each owner. */
  readonly #waitingOf = new Tally();
  #looks: NodeJS.Timeout | undefined;
  #used = 0;
  /** The agency that asked last, and the one that asked last before it. */
  #last: Asked = { owner: '', at: -Infinity };
  #lastOther: Asked = { owner: '', at: -Infinity };

  constructor(poolSize: number, now: () => number = () => performance.now()) {
    this.#places = Math.max(1, Math.floor(poolSize * PART_OF_POOL));
    this.#now = now;
  }

  /** Counts the work that waits for a place. */
  get waiting(): number {
    return this.#queues.first.size + this.#queues.others.size;
  }

  async run<T>(statement: () => Promise<T>): Promise<T> {
    const work = works.getStore();
    if (!work || work.hasPlace) return statement();
    const { owner, goesFirst } = work;
    const now = this.#now();
    if (this.#last.owner !== owner) this.#lastOther = this.#last;
    this.#last = { owner, at: now };
    // Waiting statements go before this one, also when time alone has made room.
    if (this.waiting > 0) this.#admitWaiting();
    const leave = this.#mayEnter(owner, now) ? this.#enter(owner, now) : await this.#wait(owner, goesFirst);
    try {
      return await works.run({ ...work, hasPlace: true }, statement);
    } finally {
      leave();
    }
  }

  #isBesideOthers(owner: string, own: number, now: number): boolean {
    if (this.#used > own || this.waiting > this.#waitingOf.of(owner)) return true;
    const other = this.#last.owner === owner ? this.#lastOther : this.#last;
    return now - other.at < BESIDE_FOR_MS;
  }

  #mayEnter(owner: string, now: number): boolean {
    const own = this.#begun.get(owner);
    if (own === undefined) return mayTake({ own: 0, used: this.#used, places: this.#places });
    if (!mayTake({ own: own.size, used: this.#used, places: this.#places })) return false;
    if (own.size < FEW || !this.#isBesideOthers(owner, own.size, now)) return true;
    const heldUpBefore = now - HELD_UP_MS;
    return own.values().reduce((few, at) => few + Number(at > heldUpBefore), 0) < FEW;
  }

  async #wait(owner: string, goesFirst: boolean): Promise<Leave> {
    // Nothing else tells when a statement counts as held up.
    this.#looks ??= setInterval(() => this.#admitWaiting(), HELD_UP_MS).unref();
    this.#waitingOf.add(owner, 1);
    const queue = goesFirst ? this.#queues.first : this.#queues.others;
    return new Promise((enter) => queue.add({ owner, enter }));
  }

  #enter(owner: string, now: number): Leave {
    const own = this.#begun.get(owner) ?? new Map<symbol, number>();
    const statement = Symbol(owner);
    this.#begun.set(owner, own.set(statement, now));
    this.#used += 1;
    return () => {
      this.#used -= 1;
      own.delete(statement);
      if (own.size === 0) this.#begun.delete(owner);
      if (this.waiting > 0) this.#admitWaiting();
    };
  }

  #admitWaiting(): void {
    const now = this.#now();
    // An owner that is refused once is refused for the rest of the pass, which would otherwise ask for each that waits.
    const refused = new Set<string>();
    for (const queue of [this.#queues.first, this.#queues.others]) {
      for (const next of queue) {
        if (refused.size === this.#waitingOf.size) break;
        if (refused.has(next.owner)) continue;
        if (!this.#mayEnter(next.owner, now)) {
          refused.add(next.owner);
          continue;
        }
        queue.delete(next);
        this.#waitingOf.add(next.owner, -1);
        next.enter(this.#enter(next.owner, now));
      }
    }
    if (this.waiting > 0) return;
    clearInterval(this.#looks);
    this.#looks = undefined;
  }
}
