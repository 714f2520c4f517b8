import { z } from 'zod';
import { defineRoute } from './deps.ts';

export const statusRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/status',
    auth: 'public',
    tags: ['Health'],
    summary: 'Check that the engine works',
    reply: z.object({
      status: z.enum(['ok', 'degraded']),
      version: z.string(),
      dependencies: z.array(z.object({ name: z.string(), ok: z.boolean(), reason: z.string().nullable() })),
    }),
    async handle(_input, { health, version }) {
      const { dependencies } = await health.report();
      return {
        status: dependencies.every(({ ok }) => ok) ? ('ok' as const) : ('degraded' as const),
        version,
        dependencies: dependencies.map(({ name, ok, reason }) => ({ name, ok, reason })),
      };
    },
  }),
];
