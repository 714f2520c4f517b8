import { lockSessionEvents } from '../../db/sessions/lock-events.ts';
import type { Database } from '../../db/engine/database.ts';
import {
  endParkedEvent,
  findParkedEvent,
  lockParkedEvent,
  recordParkedFailure,
} from '../../db/network/parked-event.ts';
import type { ParkedEvent } from '../../db/network/parked-event.ts';
import { findSessionByName } from '../../db/sessions/session.ts';
import { applyBackendEvents, failureName } from '../../loops/apply-backend-event.ts';
import type { Log } from '../../domain/log.ts';

/**
 * Applies a parked event like a new one: after or before other events of its session, never at the same time. Returns
 * the event as it is afterwards: an event that fails again stays parked with its error, and an event that is over is
 * left as it is. Returns undefined when there is no such event.
 */
export async function applyParkedEvent(
  database: Database,
  log: Pick<Log, 'warn'>,
  id: string,
): Promise<ParkedEvent | undefined> {
  const known = await database.read((queries) => findParkedEvent(queries, id));
  if (!known) return undefined;
  try {
    await database.transaction(async (tx) => {
      await lockSessionEvents(tx, known.sessionName);
      const parked = await lockParkedEvent(tx, id);
      if (!parked) return;
      const named = await findSessionByName(tx, known.sessionName);
      // An event of another backend than the session's is of the place that the session was moved from.
      const session = parked.backend === null || parked.backend === named?.backend ? named : null;
      await applyBackendEvents(tx, [{ session, body: parked.body, receivedAt: null }]);
      await endParkedEvent(tx, id, session ? 'applied' : 'ignored');
    });
  } catch (error) {
    log.warn({ err: error, backendEventId: id }, 'a parked event of the backend could not be applied and stays parked');
    await database.transaction((tx) => recordParkedFailure(tx, id, failureName(error)));
  }
  return database.read((queries) => findParkedEvent(queries, id));
}
