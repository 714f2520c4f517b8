import { listSessionsWithEvents } from '../db/network/backend-event.ts';
import type { Database } from '../db/engine/database.ts';
import { endContentWait, listOverdueContent } from '../db/network/awaited-content.ts';
import { applyOverlookedChanges } from '../db/network/changes/change.ts';
import { applyOverlookedAcks } from '../db/network/ingest.ts';
import { releaseOverdue } from '../db/media/news.ts';
import { indexInPassing } from '../db/conversations/search/due.ts';
import { findOverlooked } from '../db/operations/overlooked.ts';
import { listOverdueHolds } from '../db/webhooks/events/held-events.ts';
import type { Log } from '../domain/log.ts';
import { applyBatch, applyNext } from './apply-batch.ts';
import { SessionQueue } from './session-queue.ts';
import { SharedPoll } from './shared-poll.ts';
import type { Polled } from './shared-poll.ts';

/** The first batch of a session; as long as its batches are full, each is twice as large as the one before. */
const FIRST_BATCH = 25;
const MAX_BATCH = 200;
/** The same while quiet sessions have events, too: the process and the database are free for those the sooner. */
const MAX_BATCH_BESIDE_QUIET = 50;
/** The most sessions with few events that share a transaction. */
const MAX_SHARING = 25;
/** Each of them may bring so many events. */
const LEAST_SHARE = MAX_BATCH / MAX_SHARING;

const POLL_MS = 1_000;
const MAX_FOUND = 100;
const SWEEP_BATCH = 100;
/** A sweep indexes so many messages and chats at most. */
const SWEEP_WORDS = 3_000;

/** A loop checks this often whether the process still receives events. */
const BUSY_LOOK_MS = 20;
/** The loop that applies meanwhile rests after each batch so many times as long as the batch took. */
const BUSY_RESTS = 2;
const MAX_BUSY_REST_MS = 300;
/** A batch that takes longer than this waits for somebody's lock, so the other loops do not wait for it. */
const HELD_UP_MS = 1_000;

/** Another process that is at a session has seen its events after this time, or is at it again. */
const BUSY_REST_MS = 100;
/** A session is left alone for this long when the database could not be reached. */
const TROUBLE_REST_MS = 1_000;

export interface ApplierOptions {
  /** The transactions that apply events at the same time. */
  loops: number;
  /** True while this process is busy with receiving events, which comes before applying them. */
  isReceiving?: () => boolean;
  /** Called where something was found that those who mirror the inbox were not told. */
  onChanges?: () => void;
}

/**
 * Applies the events that the backend sent: in order within a session, and sessions side by side. One applier runs in
 * every api process; an advisory lock gives a session to one of them at a time. An event that fails is tried again, and
 * an event that nobody can read is parked. Neither blocks other events.
 */
export class EventApplier {
  readonly #database: Database;
  readonly #log: Pick<Log, 'warn' | 'error'>;
  readonly #loops: number;
  readonly #isReceiving: () => boolean;
  readonly #onChanges: () => void;
  readonly #stop = new AbortController();
  readonly #queue: SessionQueue;
  /** The sizes of the next batches of sessions that are behind. */
  readonly #sizes = new Map<string, number>();
  /** The session from which on the next look for sessions begins. */
  #from = '';
  /** When the batch of the first loop began; null between its batches. */
  #firstBeganAt: number | null = null;
  #running: Promise<unknown> = Promise.resolve();

  constructor(
    database: Database,
    log: Pick<Log, 'warn' | 'error'>,
    { loops, isReceiving = () => false, onChanges = () => undefined }: ApplierOptions,
  ) {
    this.#database = database;
    this.#log = log;
    this.#loops = loops;
    this.#queue = new SessionQueue(loops);
    this.#isReceiving = isReceiving;
    this.#onChanges = onChanges;
  }

  start(): void {
    const { wakeups } = this.#database;
    const off = wakeups.on('backend-event', (sessionName) => this.#queue.wake(sessionName));
    this.#stop.signal.addEventListener('abort', off);
    this.#running = Promise.all([
      ...Array.from({ length: this.#loops }, (_, index) => this.#loop(index)),
      this.#poll('backend-event', () => this.#findSessions()),
      this.#poll('overlooked', () => this.#sweep()),
    ]);
  }

  /** Ends after the current batches. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#queue.close();
    await this.#running;
  }

  /**
   * While the process is busy with receiving, its first loop applies with rests, and the second applies what quiet
   * sessions have; the others wait.
   */
  async #loop(index: number): Promise<void> {
    const isFirst = index === 0;
    for (;;) {
      while (index > 1 && this.#makesWay()) await this.#pause(BUSY_LOOK_MS);
      const names = await this.#queue.next(MAX_SHARING, () => isFirst || !this.#makesWay());
      if (names.length === 0) return;
      const startedAt = performance.now();
      if (isFirst) this.#firstBeganAt = startedAt;
      await this.#apply(names);
      if (isFirst) this.#firstBeganAt = null;
      const tookMs = performance.now() - startedAt;
      if (isFirst && this.#isReceiving()) await this.#pause(Math.min(tookMs * BUSY_RESTS, MAX_BUSY_REST_MS));
    }
  }

  #makesWay(): boolean {
    const isHeldUp = this.#firstBeganAt !== null && performance.now() - this.#firstBeganAt > HELD_UP_MS;
    return this.#isReceiving() && !isHeldUp && !this.#stop.signal.aborted;
  }

  #pause(ms: number): Promise<void> {
    return this.#database.wakeups.wait('polled', 'never', ms, this.#stop.signal);
  }

  async #apply(names: readonly string[]): Promise<void> {
    const [first = ''] = names;
    const max = this.#queue.hasQuiet ? MAX_BATCH_BESIDE_QUIET : MAX_BATCH;
    const share = Math.max(Math.ceil(max / names.length), LEAST_SHARE);
    const size = names.length > 1 ? share : Math.min(this.#sizes.get(first) ?? FIRST_BATCH, max);
    try {
      const { behind, busy, taken } = await applyBatch(this.#database, names, size);
      for (const name of names) {
        if (busy.has(name)) this.#leave(name);
        else this.#end(name, behind.has(name) ? size * 2 : null, taken.get(name));
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'a batch of backend events failed and is applied in parts');
      // Each session that shared the transaction goes alone now, so that one of them holds up no other.
      if (names.length > 1) for (const name of names) this.#end(name, FIRST_BATCH);
      else await this.#applyOneByOne(first);
    }
  }

  async #applyOneByOne(name: string): Promise<void> {
    try {
      let tried = 0;
      for (; tried < FIRST_BATCH && !this.#stop.signal.aborted; tried += 1) {
        const found = await applyNext(this.#database, this.#log, name);
        if (found === 'busy') return this.#leave(name);
        if (found === 'none') return this.#end(name, null, tried);
      }
      this.#end(name, FIRST_BATCH, tried);
    } catch (error) {
      this.#log.warn({ err: error }, 'backend events could not be applied; the engine retries them');
      this.#queue.rest(name);
      this.#rouseIn(name, TROUBLE_REST_MS);
    }
  }

  /** `next` is the size of the session's next batch; null when it has no more events. */
  #end(name: string, next: number | null, events = 0): void {
    if (next === null) this.#sizes.delete(name);
    else this.#sizes.set(name, Math.min(next, MAX_BATCH));
    this.#queue.end(name, next === null ? 'done' : 'behind', events);
  }

  #leave(name: string): void {
    this.#sizes.delete(name);
    if (this.#queue.leave(name)) this.#rouseIn(name, BUSY_REST_MS * (1 + Math.random()));
  }

  #rouseIn(name: string, ms: number): void {
    setTimeout(() => this.#queue.rouse(name), ms).unref();
  }

  /** `look` answers whether it found something; other processes then go on to look, too. */
  async #poll(polled: Polled, look: () => Promise<boolean>): Promise<void> {
    const poll = new SharedPoll(this.#database.wakeups, polled, POLL_MS);
    const off = poll.listen();
    while (!this.#stop.signal.aborted) {
      let pauseMs = poll.restMs();
      if (pauseMs === 0) {
        const found = await this.#tried(look);
        if (found) pauseMs = POLL_MS;
        else poll.looked();
      }
      if (pauseMs > 0) await this.#pause(pauseMs);
    }
    off();
  }

  /** A look that failed counts as one that found something, so that each process looks for itself. */
  async #tried(look: () => Promise<boolean>): Promise<boolean> {
    try {
      return await look();
    } catch (error) {
      this.#log.warn({ err: error }, 'polling backend events failed; the engine retries it');
      return true;
    }
  }

  /** Finds sessions whose events wait for nobody: those of a process that has died, and those to be tried again. */
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

  /**
   * Applies acks that were overlooked, and what was done to messages before they came; lets events go that have waited
   * for a file for long enough, and messages whose content has not come; has changes told that nobody has told, and has the search know what was said.
   */
  async #sweep(): Promise<boolean> {
    const { acks, parked, holds, contents, changes, words } = await this.#database.read(findOverlooked);
    if (acks) await this.#database.transaction((tx) => applyOverlookedAcks(tx, SWEEP_BATCH));
    if (parked) await this.#database.transaction((tx) => applyOverlookedChanges(tx, SWEEP_BATCH));
    if (holds) {
      const overdue = await this.#database.read((queries) => listOverdueHolds(queries, SWEEP_BATCH));
      for (const id of overdue) await this.#release(id);
    }
    if (contents) {
      const overdue = await this.#database.read((queries) => listOverdueContent(queries, SWEEP_BATCH));
      for (const id of overdue) await this.#endContentWait(id);
    }
    if (changes) this.#onChanges();
    if (words) await indexInPassing(this.#database, SWEEP_WORDS);
    return acks || parked || holds || contents || changes || words;
  }

  /** A message whose event cannot be written keeps that of no other. */
  async #endContentWait(messageId: string): Promise<void> {
    try {
      await this.#database.transaction((tx) => endContentWait(tx, messageId));
    } catch (error) {
      this.#log.error({ err: error, messageId }, 'a message without content could not be reported');
    }
  }

  /** A conversation whose events cannot be released keeps those of no other. */
  async #release(conversationId: string): Promise<void> {
    try {
      await this.#database.transaction((tx) => releaseOverdue(tx, conversationId));
    } catch (error) {
      this.#log.error({ err: error, conversationId }, 'events that waited for a file could not be released');
    }
  }
}
