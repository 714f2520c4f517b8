import {
  listSessionsWithEvents,
  markApplied,
  markApplyFailed,
  takeBackendEvents,
} from '../db/network/backend-event.ts';
import type { Database } from '../db/database.ts';
import { applyOverlookedAcks } from '../db/network/ingest.ts';
import { findSessionByName } from '../db/sessions/session.ts';
import { applyBackendEvent, failureName, UnreadableEvent } from './apply-backend-event.ts';
import type { Log } from '../domain/log.ts';

const BATCH_SIZE = 25;
const PARALLEL_SESSIONS = 4;
const POLL_MS = 1_000;
const SWEEP_BATCH = 100;

/**
 * Applies the events that the backend sent: in order within a session, and sessions side by side. One applier runs in
 * every api process; the database decides which of them has a session. An event that fails is tried again, and an event
 * that nobody can read is parked. Neither blocks other events.
 */
export class EventApplier {
  readonly #database: Database;
  readonly #log: Pick<Log, 'warn' | 'error'>;
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #woken = false;

  constructor(database: Database, log: Pick<Log, 'warn' | 'error'>) {
    this.#database = database;
    this.#log = log;
  }

  start(): void {
    const off = this.#database.wakeups.on('backend-event', () => {
      this.#woken = true;
    });
    this.#stop.signal.addEventListener('abort', off);
    this.#running = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #loop(): Promise<void> {
    let sweepAt = 0;
    while (!this.#stop.signal.aborted) {
      this.#woken = false;
      try {
        const names = await this.#database.read((queries) => listSessionsWithEvents(queries, PARALLEL_SESSIONS));
        const applied = await Promise.all(names.map((name) => this.#applySession(name)));
        if (Date.now() >= sweepAt) {
          await this.#database.transaction((tx) => applyOverlookedAcks(tx, SWEEP_BATCH));
          sweepAt = Date.now() + POLL_MS;
        }
        // Another process may have taken all these sessions. Then there is nothing to do here.
        if (applied.includes(true) || this.#woken) continue;
      } catch (error) {
        this.#log.warn({ err: error }, 'a round of applying backend events failed and is tried again');
      }
      await this.#database.wakeups.wait('backend-event', '', POLL_MS, this.#stop.signal);
    }
  }

  async #applySession(name: string): Promise<boolean> {
    try {
      return await this.#database.transaction(async (tx) => {
        const rows = await takeBackendEvents(tx, name, BATCH_SIZE);
        if (rows.length === 0) return false;
        const session = await findSessionByName(tx, name);
        for (const row of rows) await applyBackendEvent(tx, session, row.body, row.receivedAt);
        await markApplied(tx, rows);
        return true;
      });
    } catch (error) {
      this.#log.warn({ err: error }, 'a batch of backend events failed and is applied one by one');
      await this.#applyOneByOne(name);
      return true;
    }
  }

  async #applyOneByOne(name: string): Promise<void> {
    const rows = await this.#database.transaction((tx) => takeBackendEvents(tx, name, BATCH_SIZE));
    for (const row of rows) {
      try {
        await this.#database.transaction(async (tx) => {
          await applyBackendEvent(tx, await findSessionByName(tx, name), row.body, row.receivedAt);
          await markApplied(tx, [row]);
        });
      } catch (error) {
        const failure = { error: failureName(error), hopeless: error instanceof UnreadableEvent };
        const parked = await this.#database.transaction((tx) => markApplyFailed(tx, row, failure));
        const fields = { err: error, backendEventId: row.id };
        if (parked) this.#log.error(fields, 'a backend event could not be applied and is parked');
        else this.#log.warn(fields, 'a backend event could not be applied and is tried again');
      }
    }
  }
}
