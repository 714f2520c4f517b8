import { DashboardRegistered, RegisterDashboard } from '../../domain/dashboard.ts';
import { EngineError } from '../../domain/error.ts';
import { registerAgency } from '../../db/agency.ts';
import { defineRoute } from '../deps.ts';

export const dashboardRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/internal/dashboard/register',
    auth: 'psk',
    tags: ['Dashboard registry'],
    summary: 'Register a dashboard',
    description:
      "Makes the agency, its webhook endpoint and its key. The key is shown once: it is the dashboard's to keep.",
    body: RegisterDashboard,
    reply: DashboardRegistered,
    idempotent: true,
    secrets: ['apiKey'],
    errors: ['already_registered'],
    handle: ({ body, commit }) =>
      commit.transaction(async (tx) => {
        const registered = await registerAgency(tx, body);
        if (!registered) {
          throw new EngineError(
            'already_registered',
            'The agency has a dashboard: change it by PATCH on its configuration.',
          );
        }
        return { success: true as const, apiKey: registered.apiKey, agencyId: body.agencyId };
      }),
  }),
];
