import { z } from 'zod';
import { Delay, delaysOf } from '../../domain/operations/delays.ts';
import { EngineWork } from '../../domain/operations/engine-work.ts';
import { defineRoute } from '../deps.ts';
import { readWork } from './work-health.ts';

const EngineHealth = EngineWork.extend({
  delays: z.array(Delay).meta({
    description:
      'The kinds of work that the engine is late with. What a pace, a stopped account or a failing receiver holds is ' +
      'not late.',
  }),
  dependencies: z
    .array(
      z.object({
        name: z.string().meta({ description: 'What the engine needs, such as `database` or `temporal`.' }),
        ok: z.boolean().meta({ description: 'Whether it works.' }),
        reason: z.string().nullable().meta({ description: 'What is wrong. Null if nothing is.' }),
        ms: z.int().meta({ description: 'How long it took to answer, in milliseconds.' }),
      }),
    )
    .meta({ description: 'What the engine needs, as the process that answers sees it.' }),
}).meta({ id: 'EngineWork', description: 'How the engine works, and how the work of all tenants stands.' });

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
      'Returns what waits, for how long, which rule holds it, what the engine is late with, and how fast the ' +
      'database and Temporal answer. The counts may be five seconds old, and older while counting them is slow.',
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
