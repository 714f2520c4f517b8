import type { Database } from '../db/engine/database.ts';
import { beatReceiving, forgetLost } from '../db/sessions/receiving.ts';
import type { Log } from '../domain/log.ts';
import { openGapsOfAll } from './open-gaps.ts';
import { Sweep } from './shared-poll.ts';

const BEAT_EVERY_MS = 10_000;

/**
 * Notes again and again that a process receives events of the backend: of all processes one at a time does. The first
 * one after a time in which none did writes a gap for each session that should have been heard meanwhile.
 */
export function startReceiving(database: Database, log: Pick<Log, 'warn'>): Sweep {
  return new Sweep({
    wakeups: database.wakeups,
    polled: 'receiving',
    everyMs: BEAT_EVERY_MS,
    async look() {
      await noteReceiving(database);
      return false;
    },
    failed: (error) => log.warn({ err: error }, 'it could not be noted that events are received; tried again'),
    afterFailureMs: BEAT_EVERY_MS,
  }).start();
}

/** Safe to repeat, and in several processes: a gap that is there already is not opened again. */
export async function noteReceiving(database: Database): Promise<void> {
  const lost = await database.statement(beatReceiving);
  if (lost === null) return;
  await openGapsOfAll(database, { ...lost, cause: 'engine_down' });
  await database.statement((tx) => forgetLost(tx, lost));
}
