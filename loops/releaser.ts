import type { Database } from '../db/database.ts';
import { listReadySessions, releaseHeads } from '../db/sending/pace.ts';
import { queueScheduled } from '../db/sending/scheduled.ts';

/** The poll finds sessions whose wake-up was lost, and rules that other processes have changed. */
const POLL_MS = 1_000;
/** The pause after which a look is repeated while another process holds a conversation that is due. */
const BUSY_MS = 50;

/**
 * Lets paced messages go when their session may send them, and puts scheduled messages into their queues when they are
 * due. One releaser runs in every api and worker process. The rows decide, so any number of releasers may run.
 */
export class Releaser {
  readonly #database: Database;
  readonly #onError: (error: unknown, sessionId: string) => void;
  /** When each session is to be looked at again, in milliseconds of the database's clock. */
  readonly #dueAt = new Map<string, number>();
  #scheduledAt = 0;
  #polledAt = -Infinity;

  constructor(database: Database, onError: (error: unknown, sessionId: string) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Begins to hear wake-ups; the returned function ends that. */
  listen(): () => void {
    const { wakeups, clock } = this.#database;
    const offs = [
      wakeups.on('release', (sessionId) => {
        this.#dueAt.set(sessionId, clock.now().getTime());
        wakeups.wakeHere('due');
      }),
      wakeups.on('schedule', () => {
        this.#scheduledAt = 0;
        wakeups.wakeHere('due');
      }),
    ];
    return () => offs.forEach((off) => off());
  }

  /** Waits until something is due, then releases messages and queues scheduled ones. */
  async round(stop: AbortSignal): Promise<void> {
    const { wakeups } = this.#database;
    const restMs = this.#restMs();
    if (restMs > 0) await wakeups.wait('due', '', restMs, stop);
    if (stop.aborted) return;
    await this.#poll();
    for (const [sessionId, dueAt] of this.#dueAt) {
      if (stop.aborted) return;
      if (dueAt <= this.#now()) await this.#release(sessionId);
    }
    if (this.#scheduledAt <= this.#now()) await this.#queueScheduled();
  }

  #now(): number {
    return this.#database.clock.now().getTime();
  }

  #restMs(): number {
    let next = this.#scheduledAt;
    for (const dueAt of this.#dueAt.values()) next = Math.min(next, dueAt);
    return Math.min(next - this.#now(), this.#polledAt + POLL_MS - performance.now());
  }

  async #poll(): Promise<void> {
    if (performance.now() - this.#polledAt < POLL_MS) return;
    const ready = await this.#database.read((queries) => listReadySessions(queries));
    this.#polledAt = performance.now();
    for (const sessionId of ready) this.#dueAt.set(sessionId, this.#now());
    this.#scheduledAt = 0;
  }

  async #release(sessionId: string): Promise<void> {
    // The entry is deleted before the look, so that a wake-up during the look leads to another look.
    this.#dueAt.delete(sessionId);
    try {
      const { nextAt } = await this.#database.statement((tx) => releaseHeads(tx, sessionId));
      if (nextAt === null) return;
      this.#dueAt.set(sessionId, Math.min(nextAt.getTime(), this.#dueAt.get(sessionId) ?? Infinity));
    } catch (error) {
      // The failure of one session must not hold up the others. The poll comes back to the session.
      this.#onError(error, sessionId);
    }
  }

  async #queueScheduled(): Promise<void> {
    const { nextAt, isBusy } = await this.#database.transaction((tx) => queueScheduled(tx));
    this.#scheduledAt = Math.max(nextAt?.getTime() ?? Infinity, isBusy ? this.#now() + BUSY_MS : 0);
  }
}
