import { AsyncLocalStorage } from 'node:async_hooks';
import { mayTake } from '../../domain/shares.ts';

interface Work {
  owner: string;
  /** What runs inside a statement of this work has its place already. */
  hasPlace: boolean;
}

const works = new AsyncLocalStorage<Work>();

/** Requests of agencies have this part of the connections; the rest is left to what moves things by itself. */
const PART_OF_POOL = 0.75;

/** Runs work whose statements count to the agency. */
export function onBehalfOf<T>(agencyId: string, work: () => T): T {
  return works.run({ owner: agencyId, hasPlace: false }, work);
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
/** For this long after a request of another agency an agency is beside others. */
const BESIDE_FOR_MS = 10_000;
/** A statement that takes longer waits for something, such as a lock, so it no longer holds up those of its agency. */
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
 * take the connections of all, nor do many quick ones take the database's time. Statements of nobody pass. Those that
 * wait are served in their order, but an agency that has its share holds up no other.
 */
export class StatementPlaces {
  readonly #places: number;
  readonly #now: () => number;
  /** When each statement that runs began, by its owner. */
  readonly #begun = new Map<string, Map<symbol, number>>();
  readonly #waiting = new Set<Waiting>();
  #looks: NodeJS.Timeout | undefined;
  #used = 0;
  /** The agency that asked last, and the one that asked last before it. */
  #last: Asked = { owner: '', at: -Infinity };
  #lastOther: Asked = { owner: '', at: -Infinity };

  constructor(poolSize: number, now: () => number = () => performance.now()) {
    this.#places = Math.max(1, Math.floor(poolSize * PART_OF_POOL));
    this.#now = now;
  }

  /** How much work waits for a place. */
  get waiting(): number {
    return this.#waiting.size;
  }

  async run<T>(statement: () => Promise<T>): Promise<T> {
    const work = works.getStore();
    if (!work || work.hasPlace) return statement();
    const { owner } = work;
    this.#noteAsked(owner);
    // Those that wait go first, also when time alone has made room.
    if (this.#waiting.size > 0) this.#admitWaiting();
    const leave = this.#mayEnter(owner) ? this.#enter(owner) : await this.#wait(owner);
    try {
      return await works.run({ owner, hasPlace: true }, statement);
    } finally {
      leave();
    }
  }

  #noteAsked(owner: string): void {
    if (this.#last.owner !== owner) this.#lastOther = this.#last;
    this.#last = { owner, at: this.#now() };
  }

  #isBesideOthers(owner: string): boolean {
    const other = this.#last.owner === owner ? this.#lastOther : this.#last;
    return this.#now() - other.at < BESIDE_FOR_MS;
  }

  #mayEnter(owner: string): boolean {
    const own = this.#begun.get(owner);
    if (own === undefined) return mayTake({ own: 0, used: this.#used, places: this.#places });
    if (!mayTake({ own: own.size, used: this.#used, places: this.#places })) return false;
    if (own.size < FEW || !this.#isBesideOthers(owner)) return true;
    const heldUpBefore = this.#now() - HELD_UP_MS;
    return own.values().reduce((few, at) => few + Number(at > heldUpBefore), 0) < FEW;
  }

  async #wait(owner: string): Promise<Leave> {
    // Nothing else tells when a statement counts as held up.
    this.#looks ??= setInterval(() => this.#admitWaiting(), HELD_UP_MS).unref();
    return new Promise((enter) => this.#waiting.add({ owner, enter }));
  }

  #enter(owner: string): Leave {
    const own = this.#begun.get(owner) ?? new Map<symbol, number>();
    const statement = Symbol(owner);
    this.#begun.set(owner, own.set(statement, this.#now()));
    this.#used += 1;
    return () => {
      this.#used -= 1;
      own.delete(statement);
      if (own.size === 0) this.#begun.delete(owner);
      this.#admitWaiting();
    };
  }

  #admitWaiting(): void {
    for (const next of this.#waiting) {
      if (!this.#mayEnter(next.owner)) continue;
      this.#waiting.delete(next);
      next.enter(this.#enter(next.owner));
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#looks);
    this.#looks = undefined;
  }
}
