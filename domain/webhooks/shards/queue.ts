import type { Ended } from './ended.ts';
import { Horizon } from './horizon.ts';
import type { Reading } from './horizon.ts';
import type { LaneReading } from './lane.ts';
import { Lanes } from './lanes.ts';
import { isSame } from './pending.ts';
import type { Later, PendingDelivery, Taken, Waiting } from './pending.ts';

/**
 * The pending deliveries of one endpoint: a window of them, in the order of their places, in lanes. The rest is left in
 * the database.
 */
export class EndpointQueue {
  /** Deliveries in memory at most; the database keeps the rest. */
  window: number;
  readonly #horizon = new Horizon();
  readonly #lanes = new Lanes(this.#horizon);
  readonly #ended: Ended;

  constructor(window: number, ended: Ended) {
    this.window = window;
    this.#ended = ended;
  }

  /** Counts the deliveries in memory. */
  get size(): number {
    return this.#lanes.size;
  }

  get isBehind(): boolean {
    return !this.#horizon.isWhole;
  }

  get needsPage(): boolean {
    return this.#horizon.isLeft && this.#lanes.open < this.window / 2;
  }

  get needsLanes(): boolean {
    return this.#lanes.areUnread;
  }

  /**
   * True when some heads that wait for a retry have left memory. Then a lane that is not in memory is read before
   * anything of it is posted, and the owner of the queue puts in again what has come due.
   */
  get isSieved(): boolean {
    return this.#lanes.isSieved;
  }

  /** Forgets what waits. It is all to be read from the database again, from the first place. */
  reset(): void {
    this.#lanes.reset();
  }

  /** Takes in the row of a pending delivery, which may be known already. */
  put(row: PendingDelivery, nowMs: number): void {
    const known = this.#lanes.find(row.id);
    if (known?.isTaken) {
      known.isPassed ||= row.outOfOrder;
      if (row.attempts > known.attempts) known.newer = row;
    }
    // A reading may have begun before the last attempt was recorded.
    if (known && (known.isTaken || row.attempts < known.attempts || isSame(known, row))) return;
    if (!known && this.#ended.isOutdated(row)) return;
    const former = known && this.#lanes.remove(known);
    this.#lanes.add(row, this.window, nowMs);
    if (former) this.#lanes.settle(former, nowMs);
  }

  /** The time at which the next head is due; null when nothing can be taken. */
  get nextAtMs(): number | null {
    return this.#lanes.heads.first?.dueAtMs ?? null;
  }

  /** Takes the head that has been due longest. */
  take(nowMs: number): Taken | null {
    const head = this.#lanes.heads.first;
    return head && head.dueAtMs <= nowMs ? { delivery: this.#lanes.takeHead(head), probe: null } : null;
  }

  /** Takes the one delivery that an open breaker lets go. */
  takeProbe(nowMs: number, probes: number): Taken | null {
    const head = this.#lanes.heads.probe(nowMs, probes);
    return head ? { delivery: this.#lanes.takeHead(head), probe: head.dueAtMs <= nowMs ? 'due' : 'early' } : null;
  }

  /** Tells whether something of its lane, in memory or not, waits for the record of a taken delivery. */
  hasBehind(taken: Waiting): boolean {
    return this.#lanes.of(taken)?.hasWaiting ?? false;
  }

  /** Tells whether the delivery waits for the record of another one. */
  waitsForRecord(row: PendingDelivery): boolean {
    return (this.#lanes.of(row)?.taken?.id ?? row.id) !== row.id;
  }

  /** Some of the deliveries that can be taken soon. */
  upcoming(count: number): Waiting[] {
    return this.#lanes.heads.some(count);
  }

  /** A taken delivery is over after so many attempts, or is no longer ours. */
  end(delivery: Waiting, attempts: number, nowMs: number): void {
    const lane = this.#lanes.free(delivery);
    this.#lanes.forget(delivery);
    this.#ended.note(delivery.id, attempts, nowMs);
    if (lane) this.#lanes.settle(lane, nowMs);
    this.#putNewer(delivery, nowMs);
  }

  /** A taken delivery stays pending, and goes back to its lane. */
  putBack(delivery: Waiting, later: Later, nowMs: number): void {
    const former = this.#lanes.free(delivery);
    Object.assign(delivery, later);
    delivery.outOfOrder ||= delivery.isPassed;
    const lane = this.#lanes.putBack(delivery, nowMs);
    if (former && former !== lane) this.#lanes.settle(former, nowMs);
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
    return this.#lanes.takeUnread(limit).map((lane) => ({ lane: lane.key, of: lane, ...lane.horizon.begin() }));
  }

  failLane(reading: LaneReading, nowMs: number): void {
    reading.of.horizon.fail(reading);
    if (this.#lanes.has(reading.of)) this.#lanes.settle(reading.of, nowMs);
  }

  takeLane(reading: LaneReading, page: readonly PendingDelivery[], hasAll: boolean, nowMs: number): void {
    const { of: lane } = reading;
    const last = page.at(-1)?.place;
    // Beyond the window the lane comes with the pages of its endpoint.
    const isEnough = hasAll || (last ?? 0) > this.#horizon.end;
    if (!this.#lanes.has(lane) || !lane.horizon.reach(reading, last, isEnough)) return;
    for (const row of page) this.put(row, nowMs);
    this.#lanes.settle(lane, nowMs);
  }

  /** Takes in what a reading has shown of a taken delivery ahead of the answer to its record. */
  #putNewer(delivery: Waiting, nowMs: number): void {
    const { newer } = delivery;
    delivery.newer = null;
    if (newer) this.put(newer, nowMs);
  }
}
