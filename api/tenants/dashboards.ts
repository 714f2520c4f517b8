import { z } from 'zod';
import { recordChange } from '../../db/audit.ts';
import { registerAgency } from '../../db/tenants/agency.ts';
import { replaceDashboardKeys } from '../../db/tenants/rotate-key.ts';
import { findDashboard, listDashboards, updateDashboard } from '../../db/tenants/dashboard.ts';
import type { Dashboard } from '../../db/tenants/dashboard.ts';
import {
  DashboardChanged,
  DashboardRegistered,
  DashboardView,
  RegisterDashboard,
  UpdateDashboard,
} from '../../domain/tenants/dashboard.ts';
import { EngineError, invalid, notFound } from '../../domain/error.ts';
import { ExternalId } from '../../domain/scope.ts';
import { requireReachable, warningOf } from '../../domain/webhooks/endpoint.ts';
import { defineRoute } from '../deps.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';

const Cursor = cursorOf<string>({ read: (text) => ExternalId.safeParse(text).data, write: (id) => id });

function toView({ createdAt, ...same }: Dashboard): z.infer<typeof DashboardView> {
  return { ...same, createdAt: createdAt.toISOString() };
}

export const dashboardRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/internal/dashboard/register',
    auth: 'psk',
    operationId: 'dashboards.register',
    summary: 'Register a dashboard',
    description:
      'Creates the agency, its webhook endpoint and its key. The key is shown once, and the dashboard must ' +
      'store it.\n\nA dashboard that has lost its key, or whose keys are in the wrong hands, gets a new one ' +
      'with `rotateKey: true`.',
    body: RegisterDashboard,
    reply: DashboardRegistered,
    idempotent: true,
    secrets: ['apiKey'],
    errors: ['already_registered'],
    handle: ({ body, caller, commit }, { refusesPost }) =>
      commit.transaction(async (tx) => {
        const { agencyId, overlapSeconds, keepKeys } = body;
        const refused = refusesPost(body.dashboardUrl);
        // The URL of a request for a new key is not taken.
        if (body.rotateKey !== true) requireReachable(refused, '/dashboardUrl');
        const registered = await registerAgency(tx, body, caller);
        if (registered) {
          requireReachable(refused, '/dashboardUrl');
          const warning = warningOf(refusesPost(body.dashboardUrl));
          return { success: true as const, apiKey: registered.apiKey, agencyId, warning };
        }
        if (body.rotateKey !== true) {
          throw new EngineError(
            'already_registered',
            'The agency already has a dashboard: change it with PATCH /v1/internal/dashboard/config, or send rotateKey: true for a new key.',
          );
        }
        const { apiKey } = await replaceDashboardKeys(tx, agencyId, { overlapSeconds, keepKeys }, caller);
        // The URL of the request is not taken, so the warning is about the one that stays.
        const kept = await findDashboard(tx, agencyId);
        const warning = kept ? warningOf(refusesPost(kept.dashboardUrl)) : null;
        return { success: true as const, apiKey, agencyId, warning };
      }),
  }),

  defineRoute({
    method: 'GET',
    path: '/v1/internal/dashboard/config',
    auth: 'psk',
    operationId: 'dashboards.read',
    summary: 'Read the configuration of a dashboard',
    query: z.object({
      agencyId: ExternalId.meta({ description: 'The agency whose dashboard to read.', examples: ['acme'] }),
    }),
    reply: DashboardView,
    errors: ['not_found'],
    async handle({ query }, { database }) {
      const dashboard = await database.read((queries) => findDashboard(queries, query.agencyId));
      if (!dashboard) throw notFound('agency');
      return toView(dashboard);
    },
  }),

  defineRoute({
    method: 'PATCH',
    path: '/v1/internal/dashboard/config',
    auth: 'psk',
    operationId: 'dashboards.update',
    summary: 'Update the configuration of a dashboard',
    description:
      'Takes effect at once, also for waiting events: they go to the new URL. A new `webhookSecret` signs at once; ' +
      'the old one also signs for 24 hours.',
    query: z.object({
      agencyId: ExternalId.optional().meta({
        description: 'The agency whose dashboard to change. Give it here or in the body.',
        examples: ['acme'],
      }),
    }),
    body: UpdateDashboard,
    reply: DashboardChanged,
    errors: ['not_found'],
    handle({ body, query, caller }, { database, refusesPost }) {
      const agencyId = body.agencyId ?? query.agencyId;
      if (agencyId === undefined) throw invalid({ pointer: '/agencyId', message: 'is required here or in the query' });
      if (body.dashboardUrl !== undefined) requireReachable(refusesPost(body.dashboardUrl), '/dashboardUrl');
      return database.transaction(async (tx) => {
        const changed = await updateDashboard(
          tx,
          { ...body, agencyId },
          { actor: 'registry', reason: null, keyId: caller.keyId },
        );
        if (!changed) throw notFound('agency');
        // Changes of the endpoint are in its own history.
        if (body.dashboardName !== undefined) {
          const detail = { fields: ['dashboardName'] };
          const change = {
            of: { agencyId },
            object: 'dashboard',
            objectId: agencyId,
            action: 'changed',
            detail,
          } as const;
          await recordChange(tx, change, caller);
        }
        return { ...toView(changed), warning: warningOf(refusesPost(changed.dashboardUrl)) };
      });
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/v1/internal/dashboard/agencies',
    auth: 'psk',
    operationId: 'dashboards.list',
    summary: 'List the agencies with their dashboards',
    description: 'Returns them sorted by agency id.',
    query: z.object({
      limit: Limit,
      cursor: nextPage(Cursor),
    }),
    reply: z.object({
      agencies: z.array(DashboardView).meta({ description: 'The dashboards on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ query: { limit, cursor: after = null } }, { database }) {
      const found = await database.read((queries) => listDashboards(queries, { after, limit: limit + 1 }));
      const { rows, ...page } = pageOf(found, limit, ({ agencyId }) => Cursor.encode(agencyId));
      return { agencies: rows.map(toView), ...page };
    },
  }),
];
