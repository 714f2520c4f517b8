import { z } from 'zod';
import { findOverview, listOverviews } from '../../db/tenants/overview.ts';
import type { Overview } from '../../db/tenants/overview.ts';
import { listSessions } from '../../db/sessions/session.ts';
import type { ChangedBy } from '../../db/audit.ts';
import { activateAgency, awaitClaimsBefore, countSuspended, suspendAgency } from '../../db/tenants/suspension.ts';
import { startRamp } from '../../db/sending/pace.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { notFound } from '../../domain/error.ts';
import { ExternalId } from '../../domain/scope.ts';
import { SessionStatus } from '../../domain/sessions/session.ts';
import { AGENCY_STATUSES } from '../../domain/tenants/dashboard.ts';
import {
  DashboardDetails,
  DashboardOverview,
  DashboardSwitched,
  SwitchDashboard,
} from '../../domain/tenants/overview.ts';
import type { ApiDeps } from '../deps.ts';
import { defineRoute } from '../deps.ts';
import { SessionCursor } from '../sessions/directory.ts';
import { toSessionStatus } from '../sessions/session-status.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';

const AgencyCursor = cursorOf<string>({ read: (text) => ExternalId.safeParse(text).data, write: (id) => id });
const params = z.object({ agencyId: ExternalId.meta({ description: 'The agency whose dashboard it is.' }) });
const Flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');
const query = z.object({ dryRun: Flag.meta({ description: 'If `true`, changes nothing and returns the counts.' }) });

export const adminRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/dashboards',
    auth: 'master',
    operationId: 'adminDashboards.list',
    summary: 'List the registered dashboards',
    description: 'Returns them sorted by agency id, with counts and last activity.',
    query: z.object({
      status: z.enum(AGENCY_STATUSES).optional().meta({ description: 'Only those with this status.' }),
      limit: Limit,
      cursor: nextPage(AgencyCursor),
    }),
    reply: z.object({
      dashboards: z.array(DashboardOverview).meta({ description: 'The dashboards on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ query: { status = null, limit, cursor: after = null } }, { database }) {
      const found = await database.read((queries) => listOverviews(queries, { status, after, limit: limit + 1 }));
      const { rows, ...page } = pageOf(found, limit, ({ agencyId }) => AgencyCursor.encode(agencyId));
      return { dashboards: rows.map(toView), ...page };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/dashboards/:agencyId',
    auth: 'master',
    operationId: 'adminDashboards.read',
    summary: 'Read a dashboard and what waits there',
    params,
    reply: DashboardDetails,
    errors: ['not_found'],
    async handle({ params: { agencyId } }, { database }) {
      const found = await database.read((queries) => findOverview(queries, agencyId));
      if (!found) throw notFound('agency');
      const waiting = await database.read((queries) => countSuspended(queries, agencyId));
      return { ...toView(found), waiting };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/dashboards/:agencyId/sessions',
    auth: 'master',
    operationId: 'adminDashboards.listSessions',
    summary: 'List the sessions of a dashboard',
    description: 'Returns the sessions of all its tenants, the oldest first.',
    params,
    query: z.object({ limit: Limit, cursor: nextPage(SessionCursor) }),
    reply: z.object({
      sessions: z.array(SessionStatus).meta({ description: 'The sessions on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    errors: ['not_found'],
    async handle({ params: { agencyId }, query: { limit, cursor: after = null } }, { database }) {
      if (!(await database.read((queries) => findOverview(queries, agencyId)))) throw notFound('agency');
      const found = await database.read((queries) => listSessions(queries, { agencyId }, { after, limit: limit + 1 }));
      const { rows, ...page } = pageOf(found, limit, ({ id }) => SessionCursor.encode(id));
      return { sessions: rows.map(toSessionStatus), ...page };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/admin/dashboards/:agencyId/suspend',
    auth: 'master',
    operationId: 'adminDashboards.suspend',
    summary: 'Suspend a dashboard',
    description:
      'Its keys get 403 `dashboard_suspended` within a second, also in requests that are held open. Sends ' +
      'and deliveries wait and the agent is silent; incoming messages are stored.\n\nThe response waits up ' +
      'to two seconds for sends in progress and names the messages that may still be sent. Repeating it ' +
      'changes nothing.',
    params,
    query,
    body: SwitchDashboard,
    reply: DashboardSwitched,
    errors: ['not_found'],
    handle: ({ params: { agencyId }, query: { dryRun }, body, caller }, deps) =>
      change(deps, { agencyId, dryRun, to: suspendAgency, by: { ...caller, ...body } }),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/admin/dashboards/:agencyId/activate',
    auth: 'master',
    operationId: 'adminDashboards.activate',
    summary: 'Activate a suspended dashboard',
    description:
      'Waiting work continues in its order. The agent answers only messages of the last 15 minutes.\n\n' +
      'Messages are sent at a rate that rises over five minutes, events at the pace of their endpoints. ' +
      "The agent's older replies fail with `expired`. Repeating it changes nothing.",
    params,
    query,
    body: SwitchDashboard,
    reply: DashboardSwitched,
    errors: ['not_found'],
    handle: ({ params: { agencyId }, query: { dryRun }, body, caller }, deps) =>
      change(deps, { agencyId, dryRun, to: activate, by: { ...caller, ...body } }),
  }),
];

/** The sessions' rates rise from the moment on at which their messages may go, as after an outage. */
async function activate(tx: Tx, agencyId: string, by: ChangedBy) {
  const switched = await activateAgency(tx, agencyId, by);
  if (switched?.hasChanged === true) await startRamp(tx, agencyId);
  return switched;
}

interface Switching {
  agencyId: string;
  dryRun: boolean;
  to: typeof suspendAgency;
  by: ChangedBy;
}

async function change({ database }: Pick<ApiDeps, 'database'>, { agencyId, dryRun, to, by }: Switching) {
  const known = await database.read((queries) => findOverview(queries, agencyId));
  if (!known) throw notFound('agency');
  const counts = await database.read((queries) => countSuspended(queries, agencyId));
  if (dryRun) return { agencyId, status: known.status, hasChanged: false, dryRun, counts, inFlight: [] };
  const switched = await database.transaction((tx) => to(tx, agencyId, by));
  if (!switched) throw notFound('agency');
  const { status, hasChanged } = switched;
  const waits = status === 'suspended' && hasChanged;
  const inFlight = waits ? await awaitClaimsBefore(database, agencyId) : [];
  return { agencyId, status, hasChanged, dryRun, counts, inFlight };
}

function toView(overview: Overview): z.input<typeof DashboardOverview> {
  const { tenants, sessions, sessionsWorking, keys, endpoints, keyUsedAt, eventAt, ...rest } = overview;
  const lastMs = Math.max(keyUsedAt?.getTime() ?? 0, eventAt?.getTime() ?? 0);
  return {
    ...rest,
    createdAt: rest.createdAt.toISOString(),
    suspendedAt: isoOrNull(rest.suspendedAt),
    lastActivityAt: lastMs === 0 ? null : new Date(lastMs).toISOString(),
    counts: { tenants, sessions, sessionsWorking, keys, endpoints },
  };
}
