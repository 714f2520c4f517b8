/** The place of an event in the order of pulling, as the database writes it: two whole numbers. */
export interface PullPlace {
  txid: string;
  place: string;
}

/** True when one place comes after the other. */
export function isAfter(one: PullPlace, other: PullPlace): boolean {
  if (one.txid === other.txid) return one.place !== other.place && BigInt(one.place) > BigInt(other.place);
  return BigInt(one.txid) > BigInt(other.txid);
}

export function laterOf<Place extends PullPlace>(one: Place, other: Place): Place {
  return isAfter(one, other) ? one : other;
}

interface Kept<Event> {
  event: Event;
  readAtMs: number;
}

/**
 * The newest events of an agency in the order of pulling: all after one place and up to another. A reader that is
 * between the two needs no statement.
 */
export class RecentEvents<Event extends PullPlace> {
  #from: PullPlace;
  #until: PullPlace;
  #kept: Kept<Event>[] = [];

  constructor(from: PullPlace) {
    this.#from = from;
    this.#until = from;
  }

  /** Position of the next read. */
  get until(): PullPlace {
    return this.#until;
  }

  /** Adds what was read after `until`, and the place up to which that is everything. */
  add(events: readonly Event[], until: PullPlace, readAtMs: number): void {
    this.#kept.push(...events.map((event) => ({ event, readAtMs })));
    this.#until = until;
  }

  /** Forgets what was read before, and all but the newest `most`. */
  forget(beforeMs: number, most: number): void {
    const young = this.#kept.findIndex(({ readAtMs }) => readAtMs >= beforeMs);
    const count = Math.max(young === -1 ? this.#kept.length : young, this.#kept.length - most);
    const [last] = this.#kept.splice(0, count).slice(-1);
    if (last) this.#from = { txid: last.event.txid, place: last.event.place };
  }

  /** The events after the place; undefined when some of those are forgotten, or were before these. */
  since(place: PullPlace): readonly Event[] | undefined {
    if (isAfter(this.#from, place)) return undefined;
    const before = this.#kept.findLastIndex(({ event }) => !isAfter(event, place));
    return this.#kept.slice(before + 1).map(({ event }) => event);
  }
}
