import { markApplied, markApplyFailed, sessionOf, takeBackendEvents } from '../db/network/backend-event.ts';
import type { BackendEventRow } from '../db/network/backend-event.ts';
import type { Database } from '../db/engine/database.ts';
import type { Tx } from '../db/engine/tx.ts';
import type { Log } from '../domain/log.ts';
import { applyBackendEvents, failureName, UnreadableEvent } from './apply-backend-event.ts';
import type { SessionQueue } from './session-queue.ts';

/** The bodies that are read at once may have this size together; media may stand in them. */
const MAX_BATCH_BYTES = 1024 * 1024;

/** Sessions that share a transaction wait at most this long for one of them that meets a lock. */
const SHARED_LOCK_WAIT_MS = 1_000;

/** The sessions of a batch with further events; the others have none. */
export interface Found {
  /** The sessions that may have more events. */
  behind: ReadonlySet<string>;
  /** The sessions that another transaction is at. */
  busy: ReadonlySet<string>;
  /** Applied events by session, for sessions with any. */
  taken: ReadonlyMap<string, number>;
}

/** Applies the next events of sessions, up to `limit` of each, in one transaction. */
export async function applyBatch(database: Database, names: readonly string[], limit: number): Promise<Found> {
  const lockWaitMs = names.length > 1 ? SHARED_LOCK_WAIT_MS : 0;
  return database.transaction(async (tx) => {
    const { events, busy } = await takeBackendEvents(tx, names, { limit, maxBytes: MAX_BATCH_BYTES, lockWaitMs });
    if (events.length > 0) await apply(tx, events);
    const taken = new Map(
      [...Map.groupBy(events, ({ sessionName }) => sessionName)].map(([name, own]) => [name, own.length]),
    );
    const full = [...taken].filter(([, count]) => count === limit).map(([name]) => name);
    return { behind: new Set([...full, ...cutOff(events, names)]), busy: new Set(busy), taken };
  });
}

async function apply(tx: Tx, events: readonly BackendEventRow[]): Promise<void> {
  const heard = await applyBackendEvents(
    tx,
    events.map((row) => ({ session: sessionOf(row), body: row.body, receivedAt: row.receivedAt, row })),
  );
  await markApplied(tx, events, heard);
}

/** Names the sessions from which on the bodies were too large to be taken together. */
function cutOff(events: readonly BackendEventRow[], names: readonly string[]): string[] {
  const bytes = events.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  return bytes < MAX_BATCH_BYTES ? [] : names.slice(names.indexOf(events.at(-1)?.sessionName ?? ''));
}

/**
 * Applies the session's next event in a transaction of its own. An event that fails is tried again later, and one that
 * nobody can read is parked; neither blocks the events behind it.
 */
async function applyNext(
  database: Database,
  log: Pick<Log, 'warn' | 'error'>,
  name: string,
): Promise<'tried' | 'none' | 'busy'> {
  let taken: BackendEventRow | undefined;
  try {
    return await database.transaction(async (tx) => {
      const { events, busy } = await takeBackendEvents(tx, [name], { limit: 1, maxBytes: MAX_BATCH_BYTES });
      [taken] = events;
      if (events.length > 0) await apply(tx, events);
      return busy.length > 0 ? 'busy' : taken ? 'tried' : 'none';
    });
  } catch (error) {
    if (!taken) throw error;
    await noteFailure(database, log, taken, error);
    return 'tried';
  }
}

async function noteFailure(
  database: Database,
  log: Pick<Log, 'warn' | 'error'>,
  row: BackendEventRow,
  error: unknown,
): Promise<void> {
  const failure = { error: failureName(error), hopeless: error instanceof UnreadableEvent };
  const parked = await database.transaction((tx) => markApplyFailed(tx, row, failure));
  const fields = { err: error, backendEventId: row.id };
  if (parked) log.error(fields, 'a backend event could not be applied and is parked');
  else log.warn(fields, 'a backend event could not be applied; the engine retries it');
}

/** The first batch of a session; as long as its batches are full, each is twice as large as the one before. */
const FIRST_BATCH = 25;
const MAX_BATCH = 200;
/** The same while quiet sessions have events, too: the process and the database are free for those the sooner. */
const MAX_BATCH_BESIDE_QUIET = 50;
/** This many sessions with few events share a transaction. */
export const MAX_SHARING = 25;
/** Each of them may bring this many events. */
const LEAST_SHARE = MAX_BATCH / MAX_SHARING;

/** Another process that is at a session has seen its events after this time, or is at it again. */
const BUSY_REST_MS = 100;
/** A session is left alone for this long when the database could not be reached. */
const TROUBLE_REST_MS = 1_000;

/** Applies the next events of the sessions that a queue gives out, and tells the queue what it has found of each. */
export class SessionBatches {
  readonly #database: Database;
  readonly #log: Pick<Log, 'warn' | 'error'>;
  readonly #queue: SessionQueue;
  /** The sizes of the next batches of sessions that are behind. */
  readonly #sizes = new Map<string, number>();

  constructor(database: Database, log: Pick<Log, 'warn' | 'error'>, queue: SessionQueue) {
    this.#database = database;
    this.#log = log;
    this.#queue = queue;
  }

  async apply(names: readonly string[], stop: AbortSignal): Promise<void> {
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
      else await this.#applyOneByOne(first, stop);
    }
  }

  async #applyOneByOne(name: string, stop: AbortSignal): Promise<void> {
    try {
      let tried = 0;
      for (; tried < FIRST_BATCH && !stop.aborted; tried += 1) {
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
}
