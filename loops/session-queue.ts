/**
 * Where a session stands: `woken` sessions have new events, `found` ones have events that this process was not woken
 * for, and `behind` ones have more events than one batch. `running` ones are being applied, or `helping` if they were
 * found; `again` means that events came meanwhile. `resting` ones are another process's for a moment.
 */
type Place = 'woken' | 'found' | 'behind' | 'running' | 'helping' | 'again' | 'resting';

/**
 * Says whose events are applied next. Sessions that are behind take turns with the others, so that a quiet session
 * waits for no backlog, and no stream of new events starves a backlog.
 */
export class SessionQueue {
  readonly #places = new Map<string, Place>();
  /** Woken and found sessions in the order in which they came. */
  readonly #fresh = new Set<string>();
  readonly #behind = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #isBehindsTurn = false;
  #isClosed = false;

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
   * Takes the next session that is behind, or up to `limit` of the others, which have few events. Waits for one; none
   * once the queue is closed. The caller calls `end`, `leave` or `rest` for each.
   */
  async next(limit: number): Promise<string[]> {
    for (;;) {
      if (this.#isClosed) return [];
      const names = this.#first(limit);
      if (names.length > 0) return names;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    }
  }

  /** The session's batch is applied; `behind` when there may be more. */
  end(name: string, found: 'behind' | 'done'): void {
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
    if (this.#places.get(name) === 'helping') return !this.#places.delete(name);
    this.rest(name);
    return true;
  }

  /** Does nothing about the session until {@link rouse}. */
  rest(name: string): void {
    this.#places.set(name, 'resting');
  }

  rouse(name: string): void {
    if (this.#places.get(name) === 'resting') this.#put(name, 'woken');
  }

  close(): void {
    this.#isClosed = true;
    for (const resolve of this.#waiting) resolve();
  }

  #put(name: string, place: 'woken' | 'found' | 'behind'): void {
    this.#places.set(name, place);
    (place === 'behind' ? this.#behind : this.#fresh).add(name);
    this.#waiting.shift()?.();
  }

  #first(limit: number): string[] {
    this.#isBehindsTurn = !this.#isBehindsTurn;
    const isBehind = this.#behind.size > 0 && (this.#isBehindsTurn || this.#fresh.size === 0);
    const from = isBehind ? this.#behind : this.#fresh;
    const names = from
      .values()
      .take(isBehind ? 1 : limit)
      .toArray();
    for (const name of names) {
      from.delete(name);
      this.#places.set(name, this.#places.get(name) === 'found' ? 'helping' : 'running');
    }
    return names;
  }
}
