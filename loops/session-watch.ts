import type { Backends, Server } from '../adapters/backend/backends.ts';
import {
  findRestart,
  recordBackend,
  registerBackends,
  listSessionsOfLostBackends,
} from '../db/sessions/backend-state.ts';
import { askForLooks, askForWebhooks, takeTurnToList } from '../db/sessions/session-look.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import type { BackendTrouble } from '../domain/backend-server.ts';
import { EngineError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { Loop } from '../domain/loop.ts';
import { openGapsOfAll } from './open-gaps.ts';
import type { Database } from '../db/engine/database.ts';
import { failSession } from '../db/network/session-failure.ts';
import { lockSession } from '../db/sessions/session.ts';
import { BACKEND_LOST } from '../domain/sessions/session-error.ts';

/** The watch reads the list of all sessions this often. One list replaces a read of each session. */
export const LIST_EVERY_MS = 30_000;
/** A turn may be taken this much early. A timer that fires a little too soon would otherwise miss its turn. */
const EARLY = 0.9;

/**
 * Notices when a backend has lost a session, or has it in another status than our rows, even if nobody sends and no
 * webhook came, and when sessions are to get another webhook. The session's supervisor then looks. It also records how
 * each backend is. The watch runs in every worker of the queue, and a row gives each turn at a backend to one of them. A
 * process that begins asks at once for looks at the sessions that still report to the address of the process before it;
 * it lists later, when a backend that was started with it has come up. A backend that hangs holds up the watch of no other.
 */
export function startSessionWatch(
  {
    database,
    backends,
    backendWebhook,
    stopping,
  }: Pick<ActivityDependencies, 'database' | 'backendWebhook' | 'stopping'> & { backends: Pick<Backends, 'servers'> },
  everyMs: number,
  log: Pick<Log, 'warn'>,
) {
  const ids = backends.servers.map(({ id }) => id);
  const loops = [
    ...backends.servers.map((server) => repeat({ backend: server.id }, (isFirst) => compare(server, isFirst))),
    repeat({ backends: ids }, register),
  ];
  const stop = async (): Promise<void> => void (await Promise.all(loops.map((loop) => loop.stop())));
  if (stopping.aborted) void stop();
  stopping.addEventListener('abort', () => void stop());

  function repeat(fields: object, look: (isFirst: boolean) => Promise<void>): Loop {
    let isFirst = true;
    return new Loop({
      async round() {
        const was = isFirst;
        isFirst = false;
        await look(was);
        return everyMs;
      },
      failed(error) {
        const told = { ...fields, err: error };
        if (!stopping.aborted) log.warn(told, "the backend's sessions could not be compared; tried again");
      },
      afterFailureMs: everyMs,
    }).start();
  }

  async function compare({ id, listSessions, readStartedAt }: Server, isFirst: boolean): Promise<void> {
    if (isFirst) {
      await database.transaction((tx) => askForWebhooks(tx, id, backendWebhook));
      return;
    }
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
  async function register(isFirst: boolean): Promise<void> {
    await database.statement((tx) => registerBackends(tx, ids));
    // After a stop of all workers, another that begins now may name more backends than this one.
    if (!isFirst) await failLostSessions(database, stopping);
  }

  return { finish: stop };
}

/** Null for a fault of the engine's own, which says nothing of the backend. */
function troubleOf(error: unknown): BackendTrouble | null {
  if (!(error instanceof EngineError)) return null;
  return error.code === 'backend_unavailable' ? 'backend_unavailable' : 'backend_error';
}

const BATCH = 100;

/**
 * Fails the sessions whose backend no worker has in its configuration any more: their sends wait and go nowhere else, and
 * their status says why. They come back with the backend.
 */
async function failLostSessions(database: Database, stopping: AbortSignal): Promise<void> {
  for (;;) {
    const lost = await database.read((queries) => listSessionsOfLostBackends(queries, BATCH));
    for (const { id, backend } of lost) {
      await database.transaction(async (tx) => {
        const session = await lockSession(tx, id);
        // Somebody may have moved the session meanwhile.
        if (session?.backend === backend) await failSession(tx, session, BACKEND_LOST);
      });
    }
    if (lost.length < BATCH || stopping.aborted) return;
  }
}
