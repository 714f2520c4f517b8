import { EnabledAutomations } from './automations/enabled.ts';
import { startAutomations } from './automations/start.ts';
import { Database } from './engine/database.ts';
import type { DatabaseOptions, Subjects } from './engine/database.ts';
import { entities } from './entities.ts';
import { sendEvents } from './webhooks/event.ts';

/** An event that dashboards know starts automations only. */
const fanOutOf: Subjects['fanOutOf'] = (wakeups, onError) => {
  const automations = new EnabledAutomations(onError);
  wakeups.on('automation', (agencyId) => automations.forget(agencyId));
  return async (tx, events) => {
    await startAutomations(tx, automations, events);
    return sendEvents(
      tx,
      events.filter(({ isKnown }) => isKnown !== true),
    );
  };
};

/** Opens the database with all subjects: their entities, and the fan-out of their events. */
export function connectDatabase(options: DatabaseOptions): Promise<Database> {
  return Database.open(options, { entities, fanOutOf });
}
