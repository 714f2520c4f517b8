import { readEngineWork } from '../../db/operations/engine-status.ts';
import { EngineWork } from '../../domain/operations/engine-work.ts';
import { defineRoute } from '../deps.ts';

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
      'Returns what waits, for how long, and which rule holds it: messages, deliveries, answers that the agent owes, ' +
      'and work that is promised to Temporal. `./engine status` shows the same, beside Temporal and the disk.',
    reply: EngineWork,
    async handle(_request, { database }) {
      return database.read((queries) => readEngineWork(queries));
    },
  }),
];
