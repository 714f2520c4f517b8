import { mayTake } from './shares.ts';
import type { AgencyShares } from './shares.ts';

/** An owner of places, and the agency with whose places they count. */
export interface Holder {
  owner: string;
  agencyId: string;
}

interface PlacesOf {
  /** The number of all places, which may change. */
  inAll: () => number;
  perOwner: number;
  /** Some places stay free for the next agency (`mayTake`). Without shares agencies have no bound. */
  shares?: AgencyShares | undefined;
}

/** Counts the places that owners and their agencies have, and tells whether one may have another. */
export class Places {
  readonly #of: PlacesOf;
  readonly #byOwner = new Tally();
  readonly #byAgency = new Tally();
  #used = 0;

  constructor(of: PlacesOf) {
    this.#of = of;
  }

  get used(): number {
    return this.#used;
  }

  /** The number of owners that have places. */
  get owners(): number {
    return this.#byOwner.size;
  }

  get isFull(): boolean {
    return this.#used >= this.#of.inAll();
  }

  hasRoom({ owner, agencyId }: Holder): boolean {
    return !this.isFull && this.ownerHasRoom(owner) && this.agencyHasRoom(agencyId);
  }

  ownerHasRoom(owner: string): boolean {
    return this.#byOwner.of(owner) < this.#of.perOwner;
  }

  agencyHasRoom(agencyId: string): boolean {
    const { shares, inAll } = this.#of;
    if (shares === undefined) return true;
    const own = this.#byAgency.of(agencyId);
    return mayTake({ own, used: this.#used, places: inAll(), weight: shares.weightOf(agencyId) });
  }

  take(holder: Holder): void {
    this.#add(holder, 1);
  }

  giveBack(holder: Holder, count = 1): void {
    this.#add(holder, -count);
  }

  #add({ owner, agencyId }: Holder, count: number): void {
    this.#byOwner.add(owner, count);
    this.#byAgency.add(agencyId, count);
    this.#used += count;
  }
}

/** Counts by key, and forgets a key whose count is zero. */
export class Tally {
  readonly #counts = new Map<string, number>();

  /** The number of keys with a count. */
  get size(): number {
    return this.#counts.size;
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, count: number): void {
    const now = this.of(key) + count;
    if (now === 0) this.#counts.delete(key);
    else this.#counts.set(key, now);
  }
}
