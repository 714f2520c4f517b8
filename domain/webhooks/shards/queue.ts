import type { Ended } from './ended.ts';
import { Heads } from './heads.ts';
import { Horizon } from './horizon.ts';
import type { Reading } from './horizon.ts';
import { Lane } from './lane.ts';
import type { Head, LaneReading } from './lane.ts';
import { isFar, isSame, keyOf, toWaiting } from './pending.ts';
import type { Later, PendingDelivery, Taken, Waiting } from './pending.ts';

const BEFORE_ALL = -1;

/**
 * The pending deliveries of one endpoint: a window of them, in the order of their places, in lanes. Whatever number is
 * pending, no more than twice the window is in memory, and the heads of lanes that wait for a retry.
 */
export class EndpointQueue {
  /** Deliveries in memory at most; the database keeps the rest. */
  window: number;
  readonly #horizon = new Horizon();
  readonly #lanes = new Map<string, Lane>();
  readonly #known = new Map<string, Waiting>();
  readonly #heads = new Heads();
  readonly #unread = new Set<Lane>();
  readonly #ended: Ended;
  #blocked = 0;
  #isSieved = false;

  constructor(window: number, ended: Ended) {
    this.window = window;
    this.#ended = ended;
  }

  /** Counts the deliveries in memory. */
  get size(): number {
    return this.#known.size;
  }

  get isBehind(): boolean {
    return !this.#horizon.isWhole;
  }

  get needsPage(): boolean {
    return this.#horizon.isLeft && this.#open < this.window / 2;
  }

  get needsLanes(): boolean {
    return this.#unread.size > 0;
  }

  /**
   * True when some heads that wait for a retry have left memory. Then a lane that is not in memory is read before
   * anything of it is posted, and whoever has the queue puts in again what has come due.
   */
  get isSieved(): boolean {
    return this.#isSieved;
  }

  /** Forgets what waits. It is all to be read from the database again, from the first place. */
  reset(): void {
    for (const [id, delivery] of this.#known) if (!delivery.isTaken) this.#known.delete(id);
    const busy = [...this.#lanes.values()].filter(({ taken }) => taken !== null);
    this.#lanes.clear();
    this.#heads.clear();
    this.#unread.clear();
    this.#blocked = 0;
    this.#isSieved = false;
    this.#horizon.cut(BEFORE_ALL);
    for (const { key, taken } of busy) {
      const lane = new Lane(key);
      if (taken) taken.newer = null;
      lane.taken = taken;
      this.#lanes.set(key, lane);
    }
  }

  /** Takes in the row of a pending delivery, which may be known already. */
  put(row: PendingDelivery, nowMs: number): void {
    const known = this.#known.get(row.id);
    if (known?.isTaken) {
      known.isPassed ||= row.outOfOrder;
      if (row.attempts > known.attempts) known.newer = row;
    }
    // A reading may have begun before the last attempt was recorded.
    if (known && (known.isTaken || row.attempts < known.attempts || isSame(known, row))) return;
    if (!known && this.#ended.isOutdated(row)) return;
    const former = known && this.#lanes.get(keyOf(known));
    if (known) {
      this.#known.delete(known.id);
      former?.remove(known);
    }
    this.#add(row, nowMs);
    if (former) this.#settle(former, nowMs);
  }

  /** The time at which the next head is due; null when nothing can be taken. */
  get nextAtMs(): number | null {
    return this.#heads.first?.dueAtMs ?? null;
  }

  /** Takes the head that has been due longest. */
  take(nowMs: number): Taken | null {
    const head = this.#heads.first;
    return head && head.dueAtMs <= nowMs ? { delivery: this.#takeHead(head), probe: null } : null;
  }

  /** Takes the one delivery that an open breaker lets go. */
  takeProbe(nowMs: number, probes: number): Taken | null {
    const head = this.#heads.probe(nowMs, probes);
    return head ? { delivery: this.#takeHead(head), probe: head.dueAtMs <= nowMs ? 'due' : 'early' } : null;
  }

  /** Tells whether something of its lane, in memory or not, waits for the record of a taken delivery. */
  hasBehind(taken: Waiting): boolean {
    return this.#lanes.get(keyOf(taken))?.hasWaiting ?? false;
  }

  /** Tells whether the delivery waits for the record of another one. */
  waitsForRecord(row: PendingDelivery): boolean {
    return (this.#lanes.get(keyOf(row))?.taken?.id ?? row.id) !== row.id;
  }

  /** Some of the deliveries that can be taken soon. */
  upcoming(count: number): Waiting[] {
    return this.#heads.some(count);
  }

  /** A taken delivery is over after so many attempts, or is no longer ours. */
  end(delivery: Waiting, attempts: number, nowMs: number): void {
    const lane = this.#free(delivery);
    this.#known.delete(delivery.id);
    this.#ended.note(delivery.id, attempts, nowMs);
    if (lane) this.#settle(lane, nowMs);
    this.#putNewer(delivery, nowMs);
  }

  /** A taken delivery stays pending, and goes back to its lane. */
  putBack(delivery: Waiting, later: Later, nowMs: number): void {
    const former = this.#free(delivery);
    Object.assign(delivery, later);
    delivery.outOfOrder ||= delivery.isPassed;
    const lane = this.#laneOf(delivery);
    if (this.#horizon.leaves(delivery.place) || lane.horizon.leaves(delivery.place)) {
      this.#known.delete(delivery.id);
    } else {
      lane.add(delivery);
    }
    this.#settle(lane, nowMs);
    if (former && former !== lane) this.#settle(former, nowMs);
    this.#putNewer(delivery, nowMs);
  }

  /** Begins to read what comes after the window. */
  beginPage(): Reading {
    return this.#horizon.begin();
  }

  failPage(reading: Reading): void {
    this.#horizon.fail(reading);
  }

  /** Takes in a page; `hasAll` says that nothing comes after it. */
  takePage(reading: Reading, page: readonly PendingDelivery[], hasAll: boolean, nowMs: number): void {
    if (!this.#horizon.reach(reading, page.at(-1)?.place, hasAll)) return;
    for (const row of page) this.put(row, nowMs);
  }

  /** Begins to read lanes whose deliveries in memory are used up. */
  beginLanes(limit: number): LaneReading[] {
    const lanes = [...this.#unread].slice(0, limit);
    for (const lane of lanes) this.#unread.delete(lane);
    return lanes.map((lane) => ({ lane: lane.key, of: lane, ...lane.horizon.begin() }));
  }

  failLane(reading: LaneReading, nowMs: number): void {
    reading.of.horizon.fail(reading);
    if (this.#lanes.get(reading.lane) === reading.of) this.#settle(reading.of, nowMs);
  }

  takeLane(reading: LaneReading, page: readonly PendingDelivery[], hasAll: boolean, nowMs: number): void {
    const { of: lane } = reading;
    const last = page.at(-1)?.place;
    // Beyond the window the lane comes with the pages of its endpoint.
    const isEnough = hasAll || (last ?? 0) > this.#horizon.end;
    if (this.#lanes.get(lane.key) !== lane || !lane.horizon.reach(reading, last, isEnough)) return;
    for (const row of page) this.put(row, nowMs);
    this.#settle(lane, nowMs);
  }

  /** Counts the deliveries in memory that do not lead a blocked lane. */
  get #open(): number {
    return this.#known.size - this.#blocked;
  }

  /** Takes in what a reading has shown of a taken delivery ahead of the answer to its record. */
  #putNewer(delivery: Waiting, nowMs: number): void {
    const { newer } = delivery;
    delivery.newer = null;
    if (newer) this.put(newer, nowMs);
  }

  #laneOf(row: Pick<PendingDelivery, 'id' | 'lane' | 'outOfOrder'>): Lane {
    const key = keyOf(row);
    const lane = this.#lanes.get(key) ?? new Lane(key);
    this.#lanes.set(key, lane);
    return lane;
  }

  #add(row: PendingDelivery, nowMs: number): void {
    if (this.#horizon.leaves(row.place)) return;
    // A head that had left memory is passed, so its lane goes on.
    if (row.outOfOrder && this.#isSieved && !this.#lanes.has(row.lane)) {
      this.#settle(this.#newLane({ ...row, outOfOrder: false }), nowMs);
    }
    const lane = this.#lanes.get(keyOf(row)) ?? this.#newLane(row);
    if (lane.horizon.leaves(row.place)) return this.#settle(lane, nowMs);
    const delivery = toWaiting(row);
    this.#known.set(row.id, delivery);
    lane.add(delivery);
    this.#settle(lane, nowMs);
    if (this.#open > 2 * this.window) this.#trim(nowMs);
    if (this.#blocked > 2 * this.window) this.#sieve(nowMs);
  }

  /** Makes a lane for a row that has come. A sieved queue cannot know whether others of the lane wait before it. */
  #newLane(row: PendingDelivery): Lane {
    const lane = this.#laneOf(row);
    if (this.#isSieved && !row.outOfOrder) lane.horizon.cut(BEFORE_ALL);
    return lane;
  }

  /** Makes the first of a lane a head that can be taken, and leaves behind what waits for it for long. */
  #settle(lane: Lane, nowMs: number): void {
    const { first } = lane;
    const blocks = lane.taken === null && isFar(first, nowMs);
    this.#block(lane, blocks);
    if (blocks) for (const { id } of lane.leaveRest()) this.#known.delete(id);
    if (lane.taken !== null || first === undefined) lane.head = null;
    else if (lane.head?.delivery !== first || lane.head.dueAtMs !== first.dueAtMs) {
      this.#heads.offer({ delivery: first, lane, dueAtMs: first.dueAtMs });
    }
    if (!lane.isEmpty) return;
    if (lane.horizon.isLeft) this.#unread.add(lane);
    else if (lane.horizon.isWhole) this.#lanes.delete(lane.key);
  }

  #block(lane: Lane, blocks: boolean): void {
    if (lane.isBlocked !== blocks) this.#blocked += blocks ? 1 : -1;
    lane.isBlocked = blocks;
  }

  #takeHead({ lane, delivery }: Head): Waiting {
    lane.takeFirst();
    lane.head = null;
    this.#block(lane, false);
    delivery.isTaken = true;
    return delivery;
  }

  /** Returns the lane in which the delivery was taken. */
  #free(delivery: Waiting): Lane | undefined {
    const lane = this.#lanes.get(keyOf(delivery));
    if (lane?.taken === delivery) lane.taken = null;
    delivery.isTaken = false;
    return lane;
  }

  /** Leaves in the database what is beyond the window. */
  #trim(nowMs: number): void {
    const last = lastToStay(this.#known.values(), this.window + this.#blocked);
    if (last === undefined) return;
    this.#horizon.cut(last);
    for (const lane of this.#lanes.values()) {
      const left = lane.leaveBeyond(last);
      for (const { id } of left) this.#known.delete(id);
      if (left.length > 0) this.#settle(lane, nowMs);
    }
  }

  /**
   * Lets the blocked heads that are due last leave memory. Nobody reads a head again whose time has come, so such a head
   * stays.
   */
  #sieve(nowMs: number): void {
    for (const lane of this.#lanes.values()) this.#block(lane, lane.isBlocked && isFar(lane.first, nowMs));
    if (this.#blocked <= 2 * this.window) return;
    for (const lane of lanesToLeave(this.#lanes.values(), this.window)) {
      if (lane.first) this.#known.delete(lane.first.id);
      lane.head = null;
      this.#lanes.delete(lane.key);
      this.#blocked -= 1;
    }
    this.#isSieved = true;
  }
}

/*
 * Chooses the deliveries of an endpoint that leave memory first when there are too many.
 */

/** The place of the last delivery that stays when so many stay; undefined when all may stay. */
function lastToStay(known: Iterable<Waiting>, count: number): number | undefined {
  const places: number[] = [];
  for (const { isTaken, place } of known) if (!isTaken) places.push(place);
  places.sort((one, other) => one - other);
  return places[count - 1];
}

/** The blocked lanes that leave when so many stay: those whose heads are due last. */
function lanesToLeave(lanes: Iterable<Lane>, count: number): Lane[] {
  const blocked = [...lanes].filter(({ isBlocked }) => isBlocked);
  blocked.sort((one, other) => (one.first?.dueAtMs ?? 0) - (other.first?.dueAtMs ?? 0));
  return blocked.slice(count);
}
