import type { Database } from '../db/engine/database.ts';
import { beatReceiving, forgetLost } from '../db/sessions/receiving.ts';
import type { Log } from '../domain/log.ts';
import { openGapsOfAll } from './open-gaps.ts';
import { SharedPoll } from './shared-poll.ts';

const BEAT_EVERY_MS = 10_000;

/**
 * Notes again and again that a process takes events of the backend: of all processes one at a time does. The first one
 * after a time in which none did writes a gap for each session that should have been heard meanwhile.
 */
export function startReceiving(database: Database, log: Pick<Log, 'warn'>) {
  const stopping = new AbortController();
  const running = beat();

  async function beat(): Promise<void> {
    const poll = new SharedPoll(database.wakeups, 'receiving', BEAT_EVERY_MS);
    const off = poll.listen();
    while (!stopping.signal.aborted) {
      if (poll.restMs() === 0) {
        try {
          await noteReceiving(database);
        } catch (error) {
          log.warn({ err: error }, 'it could not be noted that events are taken; tried again');
        }
        poll.looked();
      }
      await database.wakeups.wait('polled', 'never', Math.max(poll.restMs(), 1), stopping.signal);
    }
    off();
  }

  return {
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/** Safe to repeat, and in several processes: a gap that is there already is not opened again. */
export async function noteReceiving(database: Database): Promise<void> {
  const lost = await database.statement(beatReceiving);
  if (lost === null) return;
  await openGapsOfAll(database, { ...lost, cause: 'engine_down' });
  await database.statement((tx) => forgetLost(tx, lost));
}
