import { askForLooks, takeTurnToList } from '../db/sessions/session-look.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import type { Log } from '../domain/log.ts';

/** One list of all sessions replaces a read of each. */
export const LIST_EVERY_MS = 30_000;
/** A turn may be taken this much early; a timer that fires a little soon would miss its turn otherwise. */
const EARLY = 0.9;

/**
 * Notices that the backend has lost sessions, or has them in another status than our rows, even where nobody sends and no
 * webhook came, and has their supervisors look. The watch runs in every worker of the queue; the row of the turn lets one of
 * them ask.
 */
export function startSessionWatch(
  { database, backend, stopping }: Pick<ActivityDependencies, 'database' | 'backend' | 'stopping'>,
  everyMs: number,
  log: Pick<Log, 'warn'>,
) {
  const running = watch();

  async function watch(): Promise<void> {
    for (;;) {
      await database.wakeups.wait('dispatch', 'never', everyMs, stopping);
      if (stopping.aborted) return;
      try {
        await compare();
      } catch (error) {
        if (!stopping.aborted) log.warn({ err: error }, "the backend's sessions could not be compared; tried again");
      }
    }
  }

  async function compare(): Promise<void> {
    if (!(await database.statement((tx) => takeTurnToList(tx, everyMs * EARLY)))) return;
    const listed = await backend.listSessions(stopping);
    await database.transaction((tx) => askForLooks(tx, listed));
  }

  return { finish: () => running };
}
