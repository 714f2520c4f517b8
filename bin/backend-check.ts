import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from '../adapters/backend/backends.ts';
import { clockTroubleOf } from '../adapters/backend/calls/clock-skew.ts';

/** The check's words for a backend that is unavailable; `engine status` adds the next step. */
export const BACKEND_AWAY = 'the messaging backend does not answer';

/** Less than a check may take, so that of several servers the one is named that hangs. */
const ANSWERS_WITHIN_MS = 1_500;

/**
 * Says what is wrong with the backends; undefined when all is well. With several backends, it names these by their ids:
 * the sessions of the others are not affected.
 */
export async function backendTrouble(servers: readonly Server[], ourTime: () => number): Promise<string | undefined> {
  const told = await Promise.all(
    servers.map(async (server) => {
      const trouble = await troubleOf(server, ourTime);
      return trouble === undefined ? [] : [servers.length === 1 ? trouble : `${server.id}: ${trouble}`];
    }),
  );
  const troubles = told.flat();
  return troubles.length === 0 ? undefined : troubles.join('; ');
}

async function troubleOf(server: Server, ourTime: () => number): Promise<string | undefined> {
  const over = new AbortController();
  const late = pause(ANSWERS_WITHIN_MS, false, { signal: over.signal }).catch(() => false);
  const answers = await Promise.race([server.ping(), late]);
  over.abort();
  if (!answers) return BACKEND_AWAY;
  const skew = await server.readClockSkew(ourTime);
  return skew === null ? 'it does not report its time' : clockTroubleOf(skew);
}
