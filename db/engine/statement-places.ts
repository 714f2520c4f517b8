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

interface Waiting {
  owner: string;
  enter: () => void;
}

/**
 * Bounds how many statements and transactions run at a time for one agency, so that the slow requests of one do not
 * take the connections of all. Statements of nobody pass. Those that wait are served in their order, but an agency that
 * has its share holds up no other.
 */
export class StatementPlaces {
  readonly #places: number;
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #used = 0;

  constructor(poolSize: number) {
    this.#places = Math.max(1, Math.floor(poolSize * PART_OF_POOL));
  }

  /** How much work waits for a place. */
  get waiting(): number {
    return this.#waiting.size;
  }

  async run<T>(statement: () => Promise<T>): Promise<T> {
    const work = works.getStore();
    if (!work || work.hasPlace) return statement();
    const { owner } = work;
    if (this.#mayEnter(owner)) this.#enter(owner);
    else await new Promise<void>((resolve) => this.#waiting.add({ owner, enter: resolve }));
    try {
      return await works.run({ owner, hasPlace: true }, statement);
    } finally {
      this.#leave(owner);
    }
  }

  #mayEnter(owner: string): boolean {
    return mayTake({ own: this.#taken.get(owner) ?? 0, used: this.#used, places: this.#places });
  }

  #enter(owner: string): void {
    this.#used += 1;
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + 1);
  }

  #leave(owner: string): void {
    this.#used -= 1;
    const left = (this.#taken.get(owner) ?? 0) - 1;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
    for (const next of this.#waiting) {
      if (!this.#mayEnter(next.owner)) continue;
      this.#waiting.delete(next);
      this.#enter(next.owner);
      next.enter();
    }
  }
}
