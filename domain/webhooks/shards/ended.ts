/**
 * A reading that took longer than this has been ended by the database, so nothing older comes from one.
 */
const REMEMBERED_MS = 40_000;

/**
 * The deliveries that have ended lately, with their attempts. A reading that began before the end still shows such a
 * delivery as pending, with fewer attempts. A delivery that is sent again has at least as many.
 */
export class Ended {
  #younger = new Map<string, number>();
  #older = new Map<string, number>();
  #sinceMs = -Infinity;

  note(id: string, attempts: number, nowMs: number): void {
    if (nowMs - this.#sinceMs > REMEMBERED_MS) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#sinceMs = nowMs;
    }
    this.#younger.set(id, attempts);
  }

  isOutdated({ id, attempts }: { id: string; attempts: number }): boolean {
    const ended = this.#younger.get(id) ?? this.#older.get(id);
    return ended !== undefined && attempts < ended;
  }
}
