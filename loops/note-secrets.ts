import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/engine/database.ts';
import { noteUnreadableSecrets } from '../db/webhooks/endpoint-health.ts';
import type { Log } from '../domain/log.ts';

const PAGE = 100;
const AGAIN_AFTER_MS = 5_000;

/** Looks once, as a process begins, whether its encryption key opens what is sealed: the key changes at a start only. */
export async function noteSecrets(database: Database, stopping: AbortSignal, log: Pick<Log, 'warn'>): Promise<void> {
  let after: string | null = null;
  do {
    const last: string | null = after;
    try {
      after = await database.transaction((tx) => noteUnreadableSecrets(tx, last, PAGE));
    } catch (error) {
      if (stopping.aborted) return;
      log.warn({ err: error }, 'it is not known yet which secrets of endpoints can be read; tried again');
      after = last ?? '';
      await pause(AGAIN_AFTER_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  } while (after !== null && !stopping.aborted);
}
