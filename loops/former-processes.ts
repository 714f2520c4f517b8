import type { Database } from '../db/engine/database.ts';
import { isFormerProcessConnected } from '../db/former-processes.ts';

// A file of its own, because the dispatcher is as long as a file may be.

/** A process of the former release that starts is noticed after this time. */
const LOOK_EVERY_MS = 10_000;

/** Knows whether processes of the release before slices run beside this one, as they do during a rolling deploy. */
export class FormerProcesses {
  readonly #database: Database;
  #lookedAt = -Infinity;
  #areConnected = true;

  constructor(database: Database) {
    this.#database = database;
  }

  async areConnected(): Promise<boolean> {
    if (performance.now() - this.#lookedAt < LOOK_EVERY_MS) return this.#areConnected;
    try {
      this.#areConnected = await this.#database.read(isFormerProcessConnected);
      this.#lookedAt = performance.now();
    } catch {
      // The caller has leased dispatches, which a failed look must not hold up. Without slices they go all the same, and
      // the next call looks again.
      this.#areConnected = true;
    }
    return this.#areConnected;
  }
}
