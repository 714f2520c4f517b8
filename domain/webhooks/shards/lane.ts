import { Horizon } from './horizon.ts';
import type { Reading } from './horizon.ts';
import type { Waiting } from './pending.ts';

/** The first of a lane, and when it is due. It is out of date when its lane has another one. */
export interface Head {
  delivery: Waiting;
  lane: Lane;
  dueAtMs: number;
}

/** A lane that has more in the database. */
export interface LaneReading extends Reading {
  lane: string;
  of: Lane;
}

/**
 * The pending deliveries of an endpoint that go one after the other. One of them is taken at a time. While the first
 * waits for its retry, those behind it are left in the database.
 */
export class Lane {
  readonly key: string;
  readonly horizon = new Horizon();
  /** By place, without the one that is taken. */
  readonly #waiting: Waiting[] = [];
  taken: Waiting | null = null;
  /** The head that can be taken, if there is one. */
  head: Head | null = null;

  constructor(key: string) {
    this.key = key;
  }

  get first(): Waiting | undefined {
    return this.#waiting[0];
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.taken === null;
  }

  /** True when something waits behind the one that is taken, in memory or not. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0 || this.horizon.isLeft;
  }

  /** Adds a delivery at its place. */
  add(delivery: Waiting): void {
    const { place } = delivery;
    let at = this.#waiting.length;
    while (at > 0 && (this.#waiting[at - 1]?.place ?? 0) > place) at -= 1;
    this.#waiting.splice(at, 0, delivery);
  }

  remove(delivery: Waiting): void {
    const at = this.#waiting.indexOf(delivery);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  takeFirst(): Waiting | undefined {
    const first = this.#waiting.shift();
    this.taken = first ?? null;
    return first;
  }

  /** Leaves all but the first in the database; returns what was in memory. */
  leaveRest(): Waiting[] {
    const rest = this.#waiting.splice(1);
    if (rest.length > 0) this.horizon.cut(this.first?.place ?? 0);
    return rest;
  }

  /** Leaves everything that waits beyond this place in the database; returns what was in memory. */
  leaveBeyond(place: number): Waiting[] {
    const kept = this.#waiting.findIndex((each) => each.place > place);
    return kept < 0 ? [] : this.#waiting.splice(kept);
  }
}
