import { z } from 'zod';
import { coarse, CoarseDelay } from '../domain/operations/delays.ts';
import { defineRoute } from './deps.ts';

/** Anybody may ask here, so it is not said why: reasons name commands and parts of the installation. */
const AWAY = 'It does not work as it should; operators see why at /readyz.';

export const statusRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/status',
    auth: 'public',
    operationId: 'health.read',
    summary: 'Check whether the engine works',
    description: 'Returns which parts are unavailable and which work is late. The response may be some seconds old.',
    reply: z.object({
      status: z.enum(['ok', 'degraded']).meta({
        description: 'Returns `degraded` if something that the engine needs is unavailable, or work is late.',
      }),
      version: z.string().meta({ description: 'The version of the engine.' }),
      dependencies: z
        .array(
          z.object({
            name: z.string().meta({ description: 'A dependency of the engine, such as `database`.' }),
            ok: z.boolean().meta({ description: 'Whether it is available.' }),
            reason: z.string().nullable().meta({
              description: 'States that it is unavailable; operators see why at `/readyz`. Null if it is available.',
            }),
          }),
        )
        .meta({ description: "The engine's dependencies, with their state." }),
      delays: z.array(CoarseDelay).meta({
        description:
          'The kinds of work that the engine is late with, over all tenants. Work held by a pace, a stopped ' +
          'account or a failing receiver is not late.\n\nEmpty while the engine keeps up.',
      }),
    }),
    async handle(_input, { health, version }) {
      const { dependencies } = await health.report();
      return {
        status: dependencies.every(({ ok }) => ok) ? ('ok' as const) : ('degraded' as const),
        version,
        dependencies: dependencies.map(({ name, ok }) => ({ name, ok, reason: ok ? null : AWAY })),
        delays: dependencies.flatMap(({ delays = [] }) => delays.map(coarse)),
      };
    },
  }),
];
