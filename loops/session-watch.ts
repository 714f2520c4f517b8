import type { Server } from '../backend/backends.ts';
import { findRestart, recordBackend, registerBackends } from '../db/sessions/backend-state.ts';
import { askForLooks, takeTurnToList } from '../db/sessions/session-look.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import type { BackendTrouble } from '../domain/backend-server.ts';
import { EngineError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { failLostSessions } from './lost-backends.ts';
import { openGapsOfAll } from './open-gaps.ts';

/** The watch reads the list of all sessions this often. One list replaces a read of each session. */
export const LIST_EVERY_MS = 30_000;
/** A turn may be taken this much early. A timer that fires a little too soon would otherwise miss its turn. */
const EARLY = 0.9;

/**
 * Notices when a backend has lost a session, or has it in another status than our rows, even if nobody sends and no
 * webhook came, and when sessions are to get another webhook. The session's supervisor then looks. It also records how
 * each backend is. The watch runs in every worker of the queue, and a row gives each turn at a backend to one of them. A
 * backend that hangs holds up the watch of no other.
 */
export function startSessionWatch(
  {
    database,
    backends,
    backendWebhook,
    stopping,
  }: Pick<ActivityDependencies, 'database' | 'backends' | 'backendWebhook' | 'stopping'>,
  everyMs: number,
  log: Pick<Log, 'warn'>,
) {
  const ids = backends.servers.map(({ id }) => id);
  const running = Promise.all([
    ...backends.servers.map((server) => repeat({ backend: server.id }, () => compare(server))),
    repeat({ backends: ids }, register),
  ]);

  async function repeat(fields: object, look: () => Promise<void>): Promise<void> {
    for (;;) {
      await database.wakeups.wait('dispatch', 'never', everyMs, stopping);
      if (stopping.aborted) return;
      try {
        await look();
      } catch (error) {
        const told = { ...fields, err: error };
        if (!stopping.aborted) log.warn(told, "the backend's sessions could not be compared; tried again");
      }
    }
  }

  async function compare({ id, listSessions, readStartedAt }: Server): Promise<void> {
    if (!(await database.statement((tx) => takeTurnToList(tx, id, everyMs * EARLY)))) return;
    const listed = await listSessions(stopping).catch(async (error: unknown) => {
      const trouble = stopping.aborted ? null : troubleOf(error);
      if (trouble !== null) await database.transaction((tx) => recordBackend(tx, id, { trouble }));
      throw error;
    });
    const startedAt = await readStartedAt(stopping);
    const lost = startedAt && (await database.read((queries) => findRestart(queries, id, startedAt)));
    if (lost !== null) await openGapsOfAll(database, { ...lost, cause: 'backend_restarted', backend: id });
    await database.transaction(async (tx) => {
      await recordBackend(tx, id, { startedAt });
      await askForLooks(tx, { id, listed }, backendWebhook);
    });
  }

  /** A backend counts as configured while a worker says so, whether the backend answers or not. */
  async function register(): Promise<void> {
    await database.statement((tx) => registerBackends(tx, ids));
    await failLostSessions(database, stopping);
  }

  return { finish: () => running };
}

/** Null for a fault of the engine's own, which says nothing of the backend. */
function troubleOf(error: unknown): BackendTrouble | null {
  if (!(error instanceof EngineError)) return null;
  return error.code === 'backend_unavailable' ? 'backend_unavailable' : 'backend_error';
}
