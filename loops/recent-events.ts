const WINDOW_MS = 1_000;

/** Counts the events of each session in this window of time and the one before, and forgets older ones. */
export class RecentEvents {
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
