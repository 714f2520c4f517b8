import { askForLooks, takeTurnToList } from '../db/sessions/session-look.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import type { Log } from '../domain/log.ts';

/** One list says of all sessions what would take a read of each. */
export const LIST_EVERY_MS = 30_000;
/** So that the turn goes to whoever asks first after its time, and is not missed by the jitter of a timer. */
const EARLY = 0.9;

/**
 * Notices that the backend has lost sessions, or has them in another status than our rows, also where nobody sends and no
 * webhook came: their supervisors look. Runs in every worker of the queue; the row of the turn lets one ask.
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
