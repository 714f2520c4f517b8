import { markApplied, markApplyFailed, sessionOf, takeBackendEvents } from '../db/network/backend-event.ts';
import type { BackendEventRow } from '../db/network/backend-event.ts';
import type { Database } from '../db/engine/database.ts';
import type { Tx } from '../db/engine/tx.ts';
import type { Log } from '../domain/log.ts';
import { applyBackendEvents, failureName, UnreadableEvent } from './apply-backend-event.ts';

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
export async function applyNext(
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
