import { Heads } from './heads.ts';
import type { Horizon } from './horizon.ts';
import { Lane } from './lane.ts';
import type { Head } from './lane.ts';
import { isFar, keyOf, toWaiting } from './pending.ts';
import type { PendingDelivery, Waiting } from './pending.ts';

const BEFORE_ALL = -1;

/**
 * The lanes of one endpoint, their heads, and the deliveries that are in memory. Whatever number is pending, no more
 * than twice the window is in memory, and the heads of lanes that wait for a retry.
 */
export class Lanes {
  readonly heads = new Heads();
  readonly #horizon: Horizon;
  readonly #lanes = new Map<string, Lane>();
  readonly #known = new Map<string, Waiting>();
  readonly #unread = new Set<Lane>();
  /** The lanes whose first waits for a time that is not near. */
  readonly #blocked = new Set<Lane>();
  #isSieved = false;

  constructor(horizon: Horizon) {
    this.#horizon = horizon;
  }

  /** The number of deliveries in memory. */
  get size(): number {
    return this.#known.size;
  }

  /** The number of them that are no heads of blocked lanes. */
  get open(): number {
    return this.#known.size - this.#blocked.size;
  }

  get areUnread(): boolean {
    return this.#unread.size > 0;
  }

  /** True when some heads that wait for a retry have left memory. */
  get isSieved(): boolean {
    return this.#isSieved;
  }

  find(id: string): Waiting | undefined {
    return this.#known.get(id);
  }

  of(row: Pick<PendingDelivery, 'id' | 'lane' | 'outOfOrder'>): Lane | undefined {
    return this.#lanes.get(keyOf(row));
  }

  has(lane: Lane): boolean {
    return this.#lanes.get(lane.key) === lane;
  }

  /** Lanes to read whose deliveries in memory are used up. */
  takeUnread(limit: number): Lane[] {
    const lanes = this.#unread.values().take(limit).toArray();
    for (const lane of lanes) this.#unread.delete(lane);
    return lanes;
  }

  /** Forgets what waits. A taken delivery keeps its lane. */
  reset(): void {
    for (const [id, delivery] of this.#known) if (!delivery.isTaken) this.#known.delete(id);
    const busy = [...this.#lanes.values()].filter(({ taken }) => taken !== null);
    this.#lanes.clear();
    this.heads.clear();
    this.#unread.clear();
    this.#blocked.clear();
    this.#isSieved = false;
    this.#horizon.cut(BEFORE_ALL);
    for (const { key, taken } of busy) {
      const lane = new Lane(key);
      if (taken) taken.newer = null;
      lane.taken = taken;
      this.#lanes.set(key, lane);
    }
  }

  add(row: PendingDelivery, window: number, nowMs: number): void {
    if (this.#horizon.leaves(row.place)) return;
    // A head that had left memory is passed, so its lane continues.
    if (row.outOfOrder && this.#isSieved && !this.#lanes.has(row.lane)) {
      this.settle(this.#newLane({ ...row, outOfOrder: false }), nowMs);
    }
    const lane = this.of(row) ?? this.#newLane(row);
    if (lane.horizon.leaves(row.place)) return this.settle(lane, nowMs);
    const delivery = toWaiting(row);
    this.#known.set(row.id, delivery);
    lane.add(delivery);
    this.settle(lane, nowMs);
    if (this.open > 2 * window) this.#trim(window, nowMs);
    if (this.#blocked.size > 2 * window) this.#sieve(window, nowMs);
  }

  /** Removes a delivery that is not taken, and returns the lane that it was in. */
  remove(delivery: Waiting): Lane | undefined {
    const lane = this.of(delivery);
    this.#known.delete(delivery.id);
    lane?.remove(delivery);
    return lane;
  }

  takeHead({ lane, delivery }: Head): Waiting {
    lane.takeFirst();
    lane.head = null;
    this.#blocked.delete(lane);
    delivery.isTaken = true;
    return delivery;
  }

  /** Returns the lane in which the delivery was taken. */
  free(delivery: Waiting): Lane | undefined {
    const lane = this.of(delivery);
    if (lane?.taken === delivery) lane.taken = null;
    delivery.isTaken = false;
    return lane;
  }

  /** Forgets a delivery that is in no lane any more. */
  forget(delivery: Waiting): void {
    this.#known.delete(delivery.id);
  }

  /** Puts a delivery that was taken into its lane, unless its place is left in the database. Returns the lane. */
  putBack(delivery: Waiting, nowMs: number): Lane {
    const lane = this.#laneOf(delivery);
    if (this.#horizon.leaves(delivery.place) || lane.horizon.leaves(delivery.place)) this.forget(delivery);
    else lane.add(delivery);
    this.settle(lane, nowMs);
    return lane;
  }

  /** Makes the first of a lane a head that can be taken, and leaves behind what waits for it for long. */
  settle(lane: Lane, nowMs: number): void {
    const { first } = lane;
    if (lane.taken === null && isFar(first, nowMs)) {
      this.#blocked.add(lane);
      for (const { id } of lane.leaveRest()) this.#known.delete(id);
    } else this.#blocked.delete(lane);
    if (lane.taken !== null || first === undefined) lane.head = null;
    else if (lane.head?.delivery !== first || lane.head.dueAtMs !== first.dueAtMs) {
      this.heads.offer({ delivery: first, lane, dueAtMs: first.dueAtMs });
    }
    if (!lane.isEmpty) return;
    if (lane.horizon.isLeft) this.#unread.add(lane);
    else if (lane.horizon.isWhole) this.#lanes.delete(lane.key);
  }

  #laneOf(row: Pick<PendingDelivery, 'id' | 'lane' | 'outOfOrder'>): Lane {
    const lane = this.of(row) ?? new Lane(keyOf(row));
    this.#lanes.set(lane.key, lane);
    return lane;
  }

  /** Makes a lane for a row that has come. A sieved queue cannot know whether others of the lane wait before it. */
  #newLane(row: PendingDelivery): Lane {
    const lane = this.#laneOf(row);
    if (this.#isSieved && !row.outOfOrder) lane.horizon.cut(BEFORE_ALL);
    return lane;
  }

  /** Leaves in the database what is beyond the window. */
  #trim(window: number, nowMs: number): void {
    const last = lastToStay(this.#known.values(), window + this.#blocked.size);
    if (last === undefined) return;
    this.#horizon.cut(last);
    for (const lane of this.#lanes.values()) {
      const left = lane.leaveBeyond(last);
      for (const { id } of left) this.#known.delete(id);
      if (left.length > 0) this.settle(lane, nowMs);
    }
  }

  /**
   * Lets the blocked heads that are due last leave memory. A head whose time has come stays, because nobody reads it
   * again.
   */
  #sieve(window: number, nowMs: number): void {
    for (const lane of this.#blocked) if (!isFar(lane.first, nowMs)) this.#blocked.delete(lane);
    if (this.#blocked.size <= 2 * window) return;
    const dueAtMs = (lane: Lane): number => lane.first?.dueAtMs ?? 0;
    const byTime = [...this.#blocked].toSorted((one, other) => dueAtMs(one) - dueAtMs(other));
    for (const lane of byTime.slice(window)) {
      if (lane.first) this.#known.delete(lane.first.id);
      lane.head = null;
      this.#lanes.delete(lane.key);
      this.#blocked.delete(lane);
    }
    this.#isSieved = true;
  }
}

/** The place of the last delivery that stays when this many stay; undefined when all may stay. */
function lastToStay(known: Iterable<Waiting>, count: number): number | undefined {
  const places: number[] = [];
  for (const { isTaken, place } of known) if (!isTaken) places.push(place);
  places.sort((one, other) => one - other);
  return places[count - 1];
}
