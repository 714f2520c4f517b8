import type { Database } from '../db/engine/database.ts';
import { listSessionsWithEvents } from '../db/network/backend-event.ts';
import type { Log } from '../domain/log.ts';
import { Loop, pauseFor } from '../domain/loop.ts';
import { MAX_SHARING, SessionBatches } from './apply-batch.ts';
import { overlookedSweep } from './overlooked-sweep.ts';
import { SessionQueue } from './session-queue.ts';
import { Sweep } from './shared-poll.ts';

const POLL_MS = 1_000;
const MAX_FOUND = 100;

/** A loop checks this often whether the process still receives events. */
const BUSY_LOOK_MS = 20;
/** The loop that applies meanwhile rests after each batch this many times as long as the batch took. */
const BUSY_RESTS = 2;
const MAX_BUSY_REST_MS = 300;
/** A batch that takes longer than this waits for a lock, so the other loops do not wait for it. */
const HELD_UP_MS = 1_000;

export interface ApplierOptions {
  /** The transactions that apply events at the same time. */
  loops: number;
  /** True while this process is busy with receiving events, which comes before applying them. */
  isReceiving?: () => boolean;
  /** Called when changes were found that no mirror of an inbox has received. */
  onChanges?: () => void;
}

/**
 * Applies the events that the backend sent: in order within a session, and sessions side by side. One applier runs in
 * every api process; an advisory lock gives a session to one of them at a time. An event that fails is tried again, and
 * an event that nobody can read is parked. Neither blocks other events.
 */
export class EventApplier {
  readonly #database: Database;
  readonly #isReceiving: () => boolean;
  readonly #queue: SessionQueue;
  readonly #batches: SessionBatches;
  readonly #parts: readonly { start(): unknown; stop(): Promise<void> }[];
  /** The session from which on the next look for sessions begins. */
  #from = '';
  /** When the batch of the first loop began; null between its batches. */
  #firstBeganAt: number | null = null;
  #off = (): void => undefined;

  constructor(
    database: Database,
    log: Pick<Log, 'warn' | 'error'>,
    { loops, isReceiving = () => false, onChanges = () => undefined }: ApplierOptions,
  ) {
    this.#database = database;
    this.#queue = new SessionQueue(loops);
    this.#batches = new SessionBatches(database, log, this.#queue);
    this.#isReceiving = isReceiving;
    const failed = (error: unknown): void =>
      log.warn({ err: error }, 'looking for backend events failed; the engine retries it');
    const again = { failed, afterFailureMs: POLL_MS };
    const look = (): Promise<boolean> => this.#findSessions();
    this.#parts = [
      ...Array.from({ length: loops }, (_, index) => new Loop({ ...again, round: (stop) => this.#round(index, stop) })),
      new Sweep({
        ...again,
        wakeups: database.wakeups,
        polled: 'backend-event',
        everyMs: POLL_MS,
        look,
        againAfterMs: POLL_MS,
      }),
      overlookedSweep({ database, log, onChanges }),
    ];
  }

  start(): void {
    this.#off = this.#database.wakeups.on('backend-event', (sessionName) => this.#queue.wake(sessionName));
    for (const part of this.#parts) part.start();
  }

  /** Ends after the current batches. */
  async stop(): Promise<void> {
    this.#off();
    const ended = Promise.all(this.#parts.map((part) => part.stop()));
    this.#queue.close();
    await ended;
  }

  /**
   * While the process is busy with receiving, its first loop applies with rests, and the second applies what quiet
   * sessions have; the others wait.
   */
  async #round(index: number, stop: AbortSignal): Promise<void> {
    const isFirst = index === 0;
    while (index > 1 && this.#makesWay(stop)) await pauseFor(BUSY_LOOK_MS, stop);
    const names = await this.#queue.next(MAX_SHARING, () => isFirst || !this.#makesWay(stop));
    // The queue is closed.
    if (names.length === 0) return;
    const startedAt = performance.now();
    if (isFirst) this.#firstBeganAt = startedAt;
    await this.#batches.apply(names, stop);
    if (isFirst) this.#firstBeganAt = null;
    const tookMs = performance.now() - startedAt;
    if (isFirst && this.#isReceiving()) await pauseFor(Math.min(tookMs * BUSY_RESTS, MAX_BUSY_REST_MS), stop);
  }

  #makesWay(stop: AbortSignal): boolean {
    const isHeldUp = this.#firstBeganAt !== null && performance.now() - this.#firstBeganAt > HELD_UP_MS;
    return this.#isReceiving() && !isHeldUp && !stop.aborted;
  }

  /**
   * Finds sessions whose events wait for no process: those of one that has died, and those to be tried again. Returns
   * true when it found some; other processes then look, too.
   */
  async #findSessions(): Promise<boolean> {
    const page = { from: this.#from, limit: MAX_FOUND };
    const found = await this.#database.read((queries) => listSessionsWithEvents(queries, page));
    this.#from = (found.length === MAX_FOUND ? found.at(-1)?.name : undefined) ?? '';
    const due = found.filter(({ isDue }) => isDue).map(({ name }) => name);
    // Each process begins elsewhere, so that they do not meet at every session.
    const start = Math.floor(Math.random() * due.length);
    for (const name of [...due.slice(start), ...due.slice(0, start)]) this.#queue.find(name);
    // Events that are to be tried again later need one look of one process. The pages before and behind this one were
    // not looked at.
    return due.length > 0 || page.from !== '' || this.#from !== '';
  }
}
