import { z } from 'zod';
import { runChecks } from '../health.ts';
import { defineRoute } from '../deps.ts';

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
    async handle(_input, { checks, version }) {
      const results = await runChecks(checks);
      return {
        status: results.every(({ ok }) => ok) ? ('ok' as const) : ('degraded' as const),
        version,
        dependencies: results.map(({ name, ok, reason }) => ({ name, ok, reason: reason ?? null })),
      };
    },
  }),
];
