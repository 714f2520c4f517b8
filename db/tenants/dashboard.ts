import { sql } from 'kysely';
import type { z } from 'zod';
import type { AgencyStatus, UpdateDashboard } from '../../domain/tenants/dashboard.ts';
import type { EndpointStatus } from '../../domain/webhooks/endpoint.ts';
import type { Queries, Tx } from '../tx.ts';
import { lockEndpoint, rotateSecret, updateEndpoint } from '../webhooks/endpoint-change.ts';
import type { Actor } from '../webhooks/endpoint-history.ts';

/** An agency, with the endpoint of its registration. */
export interface Dashboard {
  agencyId: string;
  dashboardName: string;
  status: AgencyStatus;
  createdAt: Date;
  dashboardUrl: string;
  webhookEndpointId: string;
  webhookStatus: EndpointStatus;
  webhookDisabledReason: string | null;
}

type Stored = Omit<Dashboard, 'createdAt'> & { createdAt: string };

const DASHBOARDS = sql`
  select a.id as "agencyId", a.dashboard_name as "dashboardName", a.status, a.created_at as "createdAt", e.url as "dashboardUrl",
    e.id as "webhookEndpointId", e.status as "webhookStatus", e.disabled_reason as "webhookDisabledReason"
  from agency a join endpoint e on e.agency_id = a.id and e.source = 'dashboard' and e.deleted_at is null`;

function toDashboard({ createdAt, ...row }: Stored): Dashboard {
  return { ...row, createdAt: new Date(createdAt) };
}

export async function findDashboard(queries: Queries, agencyId: string): Promise<Dashboard | undefined> {
  const { rows } = await sql<Stored>`${DASHBOARDS} where a.id = ${agencyId}`.execute(queries.sql);
  return rows[0] && toDashboard(rows[0]);
}

/** By their ids. */
export async function listDashboards(
  queries: Queries,
  page: { after: string | null; limit: number },
): Promise<Dashboard[]> {
  const { rows } = await sql<Stored>`
    ${DASHBOARDS} where ${page.after}::text is null or a.id > ${page.after} order by a.id limit ${page.limit}`.execute(
    queries.sql,
  );
  return rows.map(toDashboard);
}

const OVERLAP_HOURS = 24;

/**
 * Fields that are left out stay. A new secret signs at once, and the old one signs along with it for a day. Undefined where
 * nobody has registered the agency.
 */
export async function updateDashboard(
  tx: Tx,
  change: z.infer<typeof UpdateDashboard>,
  by: Actor,
): Promise<Dashboard | undefined> {
  const { agencyId, dashboardName, dashboardUrl, webhookSecret } = change;
  const known = await findDashboard(tx, agencyId);
  const endpoint = known && (await lockEndpoint(tx, agencyId, known.webhookEndpointId));
  if (!endpoint) return undefined;
  if (dashboardName !== undefined) {
    await sql`
      update agency set dashboard_name = ${dashboardName}, updated_at = ${tx.now} where id = ${agencyId}`.execute(
      tx.sql,
    );
  }
  await updateEndpoint(tx, endpoint, { url: dashboardUrl }, by);
  if (webhookSecret !== undefined) {
    await rotateSecret(tx, endpoint, { secret: webhookSecret, overlapHours: OVERLAP_HOURS }, by);
  }
  return (await findDashboard(tx, agencyId)) ?? known;
}
