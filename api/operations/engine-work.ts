import { z } from 'zod';
import { Delay, delaysOf } from '../../domain/operations/delays.ts';
import { EngineWork } from '../../domain/operations/engine-work.ts';
import { defineRoute } from '../deps.ts';
import { readWork } from './work-health.ts';

const EngineHealth = EngineWork.extend({
  delays: z.array(Delay).meta({
    description:
      'The kinds of work that the engine is late with. Work held by a pace, a stopped account or a failing ' +
      'receiver is not late.',
  }),
  dependencies: z
    .array(
      z.object({
        name: z.string().meta({ description: 'A dependency of the engine, such as `database` or `temporal`.' }),
        ok: z.boolean().meta({ description: 'Whether it works.' }),
        reason: z.string().nullable().meta({ description: 'The fault. Null if all is well.' }),
        ms: z.int().meta({ description: 'How long it took to answer, in milliseconds.' }),
      }),
    )
    .meta({ description: "The engine's dependencies, as the answering process sees them." }),
}).meta({ id: 'EngineWork', description: 'How the engine works, and how the work of all tenants stands.' });

export const engineWorkRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/engine-work',
    auth: 'master',
    // It counts what waits in large tables.
    cost: 20,
    operationId: 'adminWork.read',
    summary: 'Read the waiting work of all tenants',
    description:
      'Returns waiting work, its age and the rule that holds it. It also returns the latency of the ' +
      'database and Temporal.\n\nCounts may be five seconds old, and older if counting is slow.',
    reply: EngineHealth,
    async handle(_request, { database, health }) {
      const [work, { dependencies }] = await Promise.all([readWork(database), health.report()]);
      return {
        ...work,
        delays: delaysOf(work),
        dependencies: dependencies.map(({ name, ok, reason, ms }) => ({ name, ok, reason, ms })),
      };
    },
  }),
];
