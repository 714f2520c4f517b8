import type { Database } from '../../db/database.ts';
import { readEngineWork } from '../../db/operations/engine-status.ts';
import { EngineWork } from '../../domain/operations/engine-work.ts';
import { defineRoute } from '../deps.ts';
import { createBriefCache } from '../wire/brief-cache.ts';

/** Dashboards of several operators poll the route, and one answer does for all of them. */
const KEPT_MS = 3_000;

const readers = new WeakMap<Database, () => Promise<EngineWork>>();

/** Reads how the work stands, once every few seconds, however many ask. */
function readKept(database: Database): Promise<EngineWork> {
  const known = readers.get(database);
  if (known) return known();
  const read = createBriefCache({ maxAgeMs: KEPT_MS, maxEntries: 1 }, () =>
    database.read((queries) => readEngineWork(queries)),
  );
  const reader = () => read('');
  readers.set(database, reader);
  return reader();
}

export const engineWorkRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/engine-work',
    auth: 'master',
    // It counts what waits in large tables.
    cost: 20,
    operationId: 'adminWork.read',
    summary: 'Read how the work of all tenants stands',
    description:
      'Returns what waits, for how long, and which rule holds it: messages, deliveries, answers that the agent owes or ' +
      'that are owed to people, and work that is promised to Temporal. The response may be three seconds old. ' +
      '`./engine status` shows the same, beside Temporal and the disk.',
    reply: EngineWork,
    async handle(_request, { database }) {
      return readKept(database);
    },
  }),
];
