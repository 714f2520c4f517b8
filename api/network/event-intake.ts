import { isRolledBack } from '../../db/engine/database.ts';
import type { Database } from '../../db/engine/database.ts';
import { receiveBackendEvents, storedSessionName } from '../../db/network/receive.ts';
import type { ReceivedEvent } from '../../db/network/receive.ts';
import { arrivedFirst, Requests } from '../../domain/batches.ts';

/** The events of one statement, and the size of their bodies in characters. A larger body goes in a statement alone. */
const MAX_EVENTS = 100;
const MAX_LENGTH = 256 * 1024;

/** A statement with this number of events means that they arrive faster than single statements can store them. */
const BUSY_FROM_EVENTS = 4;
const BUSY_FOR_MS = 100;

/**
 * Stores events that come at the same time in one statement: those that come while a statement runs go with the next.
 * So the order in which they came is the order in which they are stored, but for large bodies, for which the others do
 * not wait; and under load an event costs a fraction of a commit.
 */
export class EventIntake {
  readonly #database: Pick<Database, 'statement' | 'wakeups'>;
  readonly #requests: Requests<ReceivedEvent, true>;
  #busyUntil = 0;

  constructor(database: Pick<Database, 'statement' | 'wakeups'>) {
    this.#database = database;
    this.#requests = new Requests({
      forAll: (events) => this.#insert(events),
      hadNoEffect: isRolledBack,
      inOrder: true,
      most: MAX_EVENTS,
      size: { most: MAX_LENGTH, of: ({ body }) => body.length },
      gather: arrivedFirst,
    });
  }

  /** True while events come faster than single statements could store them. */
  get isBusy(): boolean {
    return performance.now() < this.#busyUntil;
  }

  /** Resolves once the event is stored durably. */
  async store(event: ReceivedEvent): Promise<void> {
    await (event.body.length > MAX_LENGTH ? this.#insert([event]) : this.#requests.run(event));
  }

  async #insert(events: readonly ReceivedEvent[]): Promise<true[]> {
    if (events.length >= BUSY_FROM_EVENTS) this.#busyUntil = performance.now() + BUSY_FOR_MS;
    await this.#database.statement((tx) => receiveBackendEvents(tx, events));
    for (const { sessionName } of events)
      this.#database.wakeups.wakeHere('backend-event', storedSessionName(sessionName));
    return events.map((): true => true);
  }
}
