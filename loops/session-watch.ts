import { askForLooks, takeTurnToList } from '../db/sessions/session-look.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import type { Log } from '../domain/log.ts';

/** The watch reads the list of all sessions this often. One list replaces a read of each session. */
export const LIST_EVERY_MS = 30_000;
/** A turn may be taken this much early. A timer that fires a little too soon would otherwise miss its turn. */
const EARLY = 0.9;

/**
 * Notices when the backend has lost a session, or has it in another status than our rows, even if nobody sends and no
 * webhook came, and when sessions are to get another webhook. The session's supervisor then looks. The watch runs in
 * every worker of the queue, and a row gives each turn to one of them.
 */
export function startSessionWatch(
  {
    database,
    backend,
    backendWebhook,
    stopping,
  }: Pick<ActivityDependencies, 'database' | 'backend' | 'backendWebhook' | 'stopping'>,
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
    await database.transaction((tx) => askForLooks(tx, listed, backendWebhook));
  }

  return { finish: () => running };
}
