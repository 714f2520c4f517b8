import { setImmediate as othersFirst } from 'node:timers/promises';
import { isRolledBack } from '../../db/engine/database.ts';
import type { Database } from '../../db/engine/database.ts';
import { receiveBackendEvents, storedSessionName } from '../../db/network/receive.ts';
import type { ReceivedEvent } from '../../db/network/receive.ts';

/** The events of one statement, and the size of their bodies in characters. A larger body goes in a statement alone. */
const MAX_EVENTS = 100;
const MAX_LENGTH = 256 * 1024;

/** A statement with this number of events means that they arrive faster than single statements can store them. */
const BUSY_FROM_EVENTS = 4;
const BUSY_FOR_MS = 100;

interface Waiting extends PromiseWithResolvers<void> {
  event: ReceivedEvent;
}

/**
 * Stores events that come at the same time in one statement: those that come while a statement runs go with the next.
 * So the order in which they came is the order in which they are stored, but for large bodies, for which the others do
 * not wait; and under load an event costs a fraction of a commit.
 */
export class EventIntake {
  readonly #database: Pick<Database, 'statement' | 'wakeups'>;
  #waiting: Waiting[] = [];
  #isStoring = false;
  #busyUntil = 0;

  constructor(database: Pick<Database, 'statement' | 'wakeups'>) {
    this.#database = database;
  }

  /** True while events come faster than single statements could store them. */
  get isBusy(): boolean {
    return performance.now() < this.#busyUntil;
  }

  /** Resolves once the event is stored durably. */
  async store(event: ReceivedEvent): Promise<void> {
    if (event.body.length > MAX_LENGTH) return this.#insert([event]);
    const waiting = { event, ...Promise.withResolvers<void>() };
    this.#waiting.push(waiting);
    if (!this.#isStoring) void this.#storeAll();
    return waiting.promise;
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true;
    while (this.#waiting.length > 0) {
      // Requests that have arrived already are read first, and go with this statement.
      await othersFirst();
      await this.#storeTogether(this.#takeGroup());
    }
    this.#isStoring = false;
  }

  #takeGroup(): Waiting[] {
    let length = 0;
    let count = 0;
    for (const { event } of this.#waiting.slice(0, MAX_EVENTS)) {
      length += event.body.length;
      if (count > 0 && length > MAX_LENGTH) break;
      count += 1;
    }
    if (count >= BUSY_FROM_EVENTS) this.#busyUntil = performance.now() + BUSY_FOR_MS;
    return this.#waiting.splice(0, count);
  }

  async #storeTogether(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#insert(group.map(({ event }) => event));
      for (const { resolve } of group) resolve();
    } catch (error) {
      // The database refuses a statement for a single row, so each event is stored alone, and the odd one fails alone.
      if (group.length > 1 && isRolledBack(error)) for (const waiting of group) await this.#storeTogether([waiting]);
      else for (const { reject } of group) reject(error);
    }
  }

  async #insert(events: readonly ReceivedEvent[]): Promise<void> {
    await this.#database.statement((tx) => receiveBackendEvents(tx, events));
    for (const { sessionName } of events)
      this.#database.wakeups.wakeHere('backend-event', storedSessionName(sessionName));
  }
}
