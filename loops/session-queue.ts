/**
 * The state of a session: `woken` ones have new events, `found` ones have events without a wake-up here, and `behind`
 * ones have more than a batch. `running` ones are being applied, or `helping` if they were found; `again` means that
 * events came meanwhile. `resting` ones belong to another process for a moment.
 */
type Place = 'woken' | 'found' | 'behind' | 'running' | 'helping' | 'again' | 'resting';

/** A session with more events in the last one to two seconds is busy. */
const BUSY_FROM_EVENTS = 50;
/** For so long after a session that is not busy had events, room is kept for the next ones of its kind. */
const ROOM_FOR_MS = 1_000;
/** Beside quiet sessions, busy ones and backlogs have this part of the loops, and at least one. */
const PART_BESIDE_QUIET = 0.25;
/** Beside quiet sessions, busy ones are looked at this often, so that their events go together in few transactions. */
const BUSY_EVERY_MS = 50;
/** A batch that takes longer than this waits for somebody's lock, so that its loop counts to nobody. */
const HELD_UP_MS = 1_000;

interface Batch {
  beganAt: number;
}

/**
 * Says whose events are applied next. There are three kinds of sessions: quiet ones, busy ones, and those that are
 * behind. Quiet ones share a transaction with none of the others, and one loop is always left to them, so that a quiet
 * session waits for no flood and no backlog. While there are any, the others have few loops. The kinds take turns, so
 * no stream of new events starves a backlog.
 */
export class SessionQueue {
  readonly #loops: number;
  readonly #now: () => number;
  readonly #recent: RecentEvents;
  readonly #places = new Map<string, Place>();
  /** Woken and found sessions in the order in which they came. */
  readonly #quiet = new Set<string>();
  readonly #busy = new Set<string>();
  readonly #behind = new Set<string>();
  /** The batches under way of sessions that are busy or behind. */
  readonly #batches = new Map<string, Batch>();
  /** The loops that wait, each with whether it takes others than quiet sessions. */
  readonly #waiting = new Map<() => void, () => boolean>();
  #quietAt = -Infinity;
  #busyAt = -Infinity;
  #isQuietsTurn = false;
  #isBusysTurn = false;
  #isClosed = false;

  constructor(loops: number, now: () => number = () => performance.now()) {
    this.#loops = loops;
    this.#now = now;
    this.#recent = new RecentEvents(now);
  }

  /** True while quiet sessions have events now and then, for which the others make room. */
  get hasQuiet(): boolean {
    return this.#now() - this.#quietAt < ROOM_FOR_MS;
  }

  /** An event of the session was stored. */
  wake(name: string): void {
    const place = this.#places.get(name);
    if (place === 'running' || place === 'helping') this.#places.set(name, 'again');
    else if (place === 'found') this.#places.set(name, 'woken');
    else if (place === undefined) this.#put(name, 'woken');
  }

  /** The session was found to have events. */
  find(name: string): void {
    if (!this.#places.has(name)) this.#put(name, 'found');
  }

  /**
   * Takes the next session that is behind, or up to `limit` quiet or busy ones. Waits for one; none once the queue is
   * closed. The caller calls `end`, `leave` or `rest` for each. `takesOthers` tells whether it takes others than quiet
   * ones.
   */
  async next(limit: number, takesOthers = (): boolean => true): Promise<string[]> {
    for (;;) {
      if (this.#isClosed) return [];
      const names = this.#first(limit, takesOthers());
      // It may have been woken for what it leaves to another loop.
      if (this.#quiet.size > 0 || this.#hasRoomForOthers()) this.#wakeTaker();
      if (names.length > 0) return names;
      await this.#wait(takesOthers);
    }
  }

  /** Waits for a wake-up, or until there may be room for a session that waits without anything that wakes. */
  async #wait(takesOthers: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(resolve, takesOthers);
    const againMs = this.#busy.size > 0 ? BUSY_EVERY_MS : this.#behind.size > 0 ? ROOM_FOR_MS : null;
    const timer = againMs === null ? undefined : setTimeout(resolve, againMs);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }

  /**
   * Wakes a loop that may take what waits; false when none waits that may. Two that may not would wake each other
   * without end.
   */
  #wakeTaker(): boolean {
    const areQuiet = this.#quiet.size > 0;
    for (const [resolve, takesOthers] of this.#waiting) {
      if (areQuiet || takesOthers()) return this.#wake(resolve);
    }
    return false;
  }

  #wake(resolve: () => void): boolean {
    resolve();
    return this.#waiting.delete(resolve);
  }

  /** Ends the session's batch with its count of applied events; `behind` if more may exist. */
  end(name: string, found: 'behind' | 'done', events = 0): void {
    this.#recent.add(name, events);
    this.#batches.delete(name);
    const cameMeanwhile = this.#places.get(name) === 'again';
    if (found === 'behind') this.#put(name, 'behind');
    else if (cameMeanwhile) this.#put(name, 'woken');
    else this.#places.delete(name);
  }

  /**
   * Leaves the session to another process that is at it. True when the session rests here until {@link rouse}, because
   * the other process may not have seen the events that this one was woken for.
   */
  leave(name: string): boolean {
    const isHelping = this.#places.get(name) === 'helping';
    this.rest(name);
    if (isHelping) this.#places.delete(name);
    return !isHelping;
  }

  /** Does nothing about the session until {@link rouse}. */
  rest(name: string): void {
    this.#batches.delete(name);
    this.#places.set(name, 'resting');
  }

  rouse(name: string): void {
    if (this.#places.get(name) === 'resting') this.#put(name, 'woken');
  }

  close(): void {
    this.#isClosed = true;
    for (const resolve of this.#waiting.keys()) resolve();
  }

  #put(name: string, place: 'woken' | 'found' | 'behind'): void {
    this.#places.set(name, place);
    const isBusy = this.#recent.of(name) > BUSY_FROM_EVENTS;
    (place === 'behind' ? this.#behind : isBusy ? this.#busy : this.#quiet).add(name);
    if (this.#wakeTaker()) return;
    // One that may not take it yet looks again from now on, because what keeps it may end without a wake-up.
    const [resolve] = this.#waiting.keys();
    if (resolve) this.#wake(resolve);
  }

  #first(limit: number, takesOthers: boolean): string[] {
    this.#isQuietsTurn = !this.#isQuietsTurn;
    const areQuiet = this.#isQuietsTurn && this.#quiet.size > 0;
    return takesOthers && !areQuiet && this.#hasRoomForOthers()
      ? this.#takeOthers(limit)
      : this.#take(this.#quiet, limit);
  }

  /** True when a session that is busy or behind waits and may be taken now. */
  #hasRoomForOthers(): boolean {
    if (this.#behind.size === 0 && !this.#isBusyDue) return false;
    const now = this.#now();
    const atWork = [...new Set(this.#batches.values())].filter(({ beganAt }) => now - beganAt < HELD_UP_MS);
    const room = this.hasQuiet ? this.#loops * PART_BESIDE_QUIET : this.#loops - 1;
    return atWork.length < Math.max(1, Math.floor(room));
  }

  get #isBusyDue(): boolean {
    return this.#busy.size > 0 && !(this.hasQuiet && this.#now() - this.#busyAt < BUSY_EVERY_MS);
  }

  #takeOthers(limit: number): string[] {
    this.#isBusysTurn = !this.#isBusysTurn;
    const areBusy = this.#isBusyDue && (this.#isBusysTurn || this.#behind.size === 0);
    const names = areBusy ? this.#take(this.#busy, limit) : this.#take(this.#behind, 1);
    const batch = { beganAt: this.#now() };
    if (areBusy) this.#busyAt = batch.beganAt;
    for (const name of names) this.#batches.set(name, batch);
    return names;
  }

  #take(from: Set<string>, limit: number): string[] {
    const names = from.values().take(limit).toArray();
    for (const name of names) {
      from.delete(name);
      this.#places.set(name, this.#places.get(name) === 'found' ? 'helping' : 'running');
    }
    if (from === this.#quiet && names.length > 0) this.#quietAt = this.#now();
    return names;
  }
}

const WINDOW_MS = 1_000;

/** Counts the events of each session in this window of time and the one before, and forgets older ones. */
class RecentEvents {
  readonly #now: () => number;
  #beganAt = -Infinity;
  #current = new Map<string, number>();
  #former = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(name: string, count: number): void {
    this.#turn();
    this.#current.set(name, (this.#current.get(name) ?? 0) + count);
  }

  of(name: string): number {
    this.#turn();
    return (this.#current.get(name) ?? 0) + (this.#former.get(name) ?? 0);
  }

  #turn(): void {
    const windows = Math.floor((this.#now() - this.#beganAt) / WINDOW_MS);
    if (windows < 1) return;
    this.#former = windows === 1 ? this.#current : new Map();
    this.#current = new Map();
    this.#beganAt = windows === Infinity ? this.#now() : this.#beganAt + windows * WINDOW_MS;
  }
}
