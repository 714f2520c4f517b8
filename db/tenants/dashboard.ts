import { sql } from 'kysely';
import { z } from 'zod';
import { AGENCY_STATUSES } from '../../domain/tenants/dashboard.ts';
import type { UpdateDashboard } from '../../domain/tenants/dashboard.ts';
import { ENDPOINT_STATUSES } from '../../domain/webhooks/endpoint.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { lockEndpoint, rotateSecret, updateEndpoint } from '../webhooks/endpoint-change.ts';
import type { Actor } from '../webhooks/endpoint-history.ts';

const DashboardRow = z.object({
  agencyId: z.string(),
  dashboardName: z.string(),
  status: z.enum(AGENCY_STATUSES),
  createdAt: Timestamp,
  dashboardUrl: z.string(),
  webhookEndpointId: z.string(),
  webhookStatus: z.enum(ENDPOINT_STATUSES),
  webhookDisabledReason: z.string().nullable(),
});
/** An agency, with the endpoint of its registration. */
export type Dashboard = z.output<typeof DashboardRow>;

const DASHBOARDS = sql`
  select a.id as "agencyId", a.dashboard_name as "dashboardName", a.status, a.created_at as "createdAt",
    e.url as "dashboardUrl",
    e.id as "webhookEndpointId", e.status as "webhookStatus", e.disabled_reason as "webhookDisabledReason"
  from agency a join endpoint e on e.agency_id = a.id and e.source = 'dashboard' and e.deleted_at is null`;

export async function findDashboard(queries: Queries, agencyId: string): Promise<Dashboard | undefined> {
  return row(queries, DashboardRow)`${DASHBOARDS} where a.id = ${agencyId}`;
}

/** Lists dashboards in the order of their agencies' ids. */
export async function listDashboards(
  queries: Queries,
  page: { after: string | null; limit: number },
): Promise<Dashboard[]> {
  return rows(queries, DashboardRow)`
    ${DASHBOARDS} where ${page.after}::text is null or a.id > ${page.after} order by a.id limit ${page.limit}`;
}

const OVERLAP_HOURS = 24;

/**
 * Changes a dashboard; fields that are left out stay as they are. A new secret signs at once, and the old secret signs
 * along with it for a day. Undefined when the agency is not registered.
 */
export async function updateDashboard(
  tx: Tx,
  change: z.infer<typeof UpdateDashboard> & { agencyId: string },
  by: Actor,
): Promise<Dashboard | undefined> {
  const { agencyId, dashboardName, dashboardUrl, webhookSecret } = change;
  const known = await findDashboard(tx, agencyId);
  const endpoint = known && (await lockEndpoint(tx, agencyId, known.webhookEndpointId));
  if (!endpoint) return undefined;
  if (dashboardName !== undefined) {
    await run(tx)`
      update agency set dashboard_name = ${dashboardName}, updated_at = ${tx.now} where id = ${agencyId}`;
  }
  await updateEndpoint(tx, endpoint, { url: dashboardUrl }, by);
  if (webhookSecret !== undefined) {
    await rotateSecret(tx, endpoint, { secret: webhookSecret, overlapHours: OVERLAP_HOURS }, by);
  }
  return (await findDashboard(tx, agencyId)) ?? known;
}
