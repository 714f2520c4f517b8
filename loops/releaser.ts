import type { Database } from '../db/engine/database.ts';
import { takeDueSessions } from '../db/sending/release/due.ts';
import { releaseHeads } from '../db/sending/pace.ts';
import { queueScheduled } from '../db/sending/scheduled.ts';
import { Loop, pauseFor } from '../domain/loop.ts';
import { SharedPoll } from './shared-poll.ts';

/** The poll finds sessions that a process has made due and then not looked at, and messages that it has scheduled. */
const POLL_MS = 1_000;
/** Wake-ups that come within this time of a look lead to one more look. */
const LOOK_EVERY_MS = 20;
/** The pause after which a look is repeated while another process holds a conversation that is due. */
const BUSY_MS = 50;

/**
 * Lets paced messages go when their session may send them, and puts scheduled messages into their queues when they are
 * due. One releaser runs in every api and worker process. Each takes sessions that are due for itself alone, by one
 * index (`release-at.sql`), so any number of releasers may run.
 */
export class Releaser {
  readonly #database: Database;
  readonly #onError: (error: unknown, sessionId: string) => void;
  readonly #poll: SharedPoll;
  readonly #loop: Loop;
  /**
   * The sessions in which a transaction of this process has made a head ready, and when each is looked at, in
   * milliseconds of the database's clock.
   */
  readonly #wokenAt = new Map<string, number>();
  /** Until when no look at a session would find anything, because its next message may not start yet beside others. */
  readonly #restsUntil = new Map<string, number>();
  /** When something is due, as far as this process knows, in milliseconds of the database's clock. */
  #dueAt = 0;
  #lookedAt = -Infinity;
  #offs: (() => void)[] = [];

  constructor(database: Database, onError: (error: unknown, sessionId: string | null) => void) {
    this.#database = database;
    this.#onError = onError;
    this.#poll = new SharedPoll(database.wakeups, 'release', POLL_MS);
    const failed = (error: unknown): void => onError(error, null);
    this.#loop = new Loop({ round: (stop) => this.#round(stop), failed, afterFailureMs: POLL_MS });
  }

  start(): this {
    const { wakeups } = this.#database;
    this.#offs = [
      wakeups.serve('release', (sessionId) => {
        this.#wokenAt.set(sessionId, Math.max(this.#now(), this.#restsUntil.get(sessionId) ?? 0));
        this.#loop.ring();
      }),
      wakeups.serve('schedule', () => {
        this.#dueAt = 0;
        this.#loop.ring();
      }),
      this.#poll.listen(),
    ];
    this.#loop.start();
    return this;
  }

  /** Resolves after the current look. */
  async stop(): Promise<void> {
    for (const off of this.#offs) off();
    await this.#loop.stop();
  }

  /** Releases messages and queues scheduled ones. Returns the time until something is due. */
  async #round(stop: AbortSignal): Promise<number> {
    await pauseFor(this.#lookedAt + LOOK_EVERY_MS - performance.now(), stop);
    if (stop.aborted) return 0;
    this.#lookedAt = performance.now();
    // The entries are copied, because wake-ups during the looks would keep this loop from ever ending.
    for (const [sessionId, wokenAt] of new Map(this.#wokenAt)) {
      if (stop.aborted) return 0;
      if (wokenAt <= this.#now()) await this.#release(sessionId);
    }
    if (this.#dueAt <= this.#now() || this.#poll.restMs() === 0) await this.#takeDue(stop);
    return this.#restMs();
  }

  #now(): number {
    return this.#database.clock.now().getTime();
  }

  #restMs(): number {
    const next = Math.min(this.#dueAt, ...this.#wokenAt.values());
    return Math.min(next - this.#now(), this.#poll.restMs());
  }

  async #takeDue(stop: AbortSignal): Promise<void> {
    // A wake-up during the look makes this time earlier, so it is set before the look.
    this.#dueAt = Infinity;
    const isPoll = this.#poll.restMs() === 0;
    const { sessions, nextAt, scheduledAt } = await this.#database.statement(takeDueSessions);
    for (const sessionId of sessions) {
      if (stop.aborted) return;
      await this.#release(sessionId);
    }
    if (scheduledAt && scheduledAt.getTime() <= this.#now()) await this.#queueScheduled();
    // Other processes schedule the sessions that they have taken. The poll watches all sessions, because the others
    // rest meanwhile.
    else if (isPoll || sessions.length > 0) this.#isDueAt(scheduledAt);
    if (isPoll || sessions.length > 0) this.#isDueAt(nextAt);
    if (this.#dueAt > this.#now()) this.#poll.looked();
    else if (sessions.length === 0) this.#dueAt = this.#now() + BUSY_MS;
  }

  #isDueAt(at: Date | null): void {
    if (at) this.#dueAt = Math.min(this.#dueAt, at.getTime());
  }

  async #release(sessionId: string): Promise<void> {
    const restsUntil = this.#restsUntil.get(sessionId) ?? 0;
    if (restsUntil > this.#now()) {
      this.#wokenAt.set(sessionId, restsUntil);
      return;
    }
    // The entries are deleted before the look, so that a wake-up during the look leads to another look.
    this.#restsUntil.delete(sessionId);
    this.#wokenAt.delete(sessionId);
    try {
      const { nextAt, isBusy, startsAt } = await this.#database.statement((tx) => releaseHeads(tx, sessionId));
      if (startsAt && nextAt) {
        this.#restsUntil.set(sessionId, nextAt.getTime());
        this.#wokenAt.set(sessionId, nextAt.getTime());
      } else if (!isBusy) this.#isDueAt(nextAt);
      else if (nextAt && !this.#wokenAt.has(sessionId)) this.#wokenAt.set(sessionId, nextAt.getTime());
    } catch (error) {
      // The failure of one session must not hold up the others. The session is due again after some seconds.
      this.#onError(error, sessionId);
    }
  }

  async #queueScheduled(): Promise<void> {
    const { nextAt, isBusy } = await this.#database.transaction((tx) => queueScheduled(tx));
    this.#isDueAt(isBusy ? new Date(this.#now() + BUSY_MS) : nextAt);
  }
}
