import { sql } from 'kysely';
import { z } from 'zod';
import { AGENCY_STATUSES } from '../../domain/tenants/dashboard.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

const OverviewRow = z.object({
  agencyId: z.string(),
  dashboardName: z.string(),
  dashboardUrl: z.string(),
  status: z.enum(AGENCY_STATUSES),
  createdAt: Timestamp,
  suspendedAt: Timestamp.nullable(),
  suspendedReason: z.string().nullable(),
  keyUsedAt: Timestamp.nullable(),
  eventAt: Timestamp.nullable(),
  tenants: z.int(),
  sessions: z.int(),
  sessionsWorking: z.int(),
  keys: z.int(),
  endpoints: z.int(),
});
/** An agency as the operator sees it in a list. */
export type Overview = z.output<typeof OverviewRow>;

/**
 * Counts only what an agency has few of, and reads the last activity from the ends of indexes, so that the list costs
 * the same however much the agencies have sent.
 */
const OVERVIEWS = sql`
  select a.id as "agencyId", a.dashboard_name as "dashboardName", e.url as "dashboardUrl", a.status,
    a.created_at as "createdAt", a.suspended_at as "suspendedAt", a.suspended_reason as "suspendedReason",
    k.used_at as "keyUsedAt",
    (select v.created_at from event v where v.agency_id = a.id order by v.txid desc, v.place desc limit 1) as "eventAt",
    (select count(*)::int from tenant t where t.agency_id = a.id) as tenants, s.sessions,
    s.working as "sessionsWorking", k.keys,
    (select count(*)::int from endpoint o where o.agency_id = a.id and o.deleted_at is null) as endpoints
  from agency a join endpoint e on e.agency_id = a.id and e.source = 'dashboard' and e.deleted_at is null
  cross join lateral (select count(*)::int as sessions, count(*) filter (where is_working(s.status))::int as working
    from session s where s.agency_id = a.id and s.wish <> 'deleted') s
  cross join lateral (
    select count(*) filter (where key_works(id, now()))::int as keys,
      max(last_used_at) as used_at from api_key where agency_id = a.id) k`;

export async function findOverview(queries: Queries, agencyId: string): Promise<Overview | undefined> {
  return row(queries, OverviewRow)`${OVERVIEWS} where a.id = ${agencyId}`;
}

/** Lists agencies by their ids. */
export async function listOverviews(
  queries: Queries,
  page: { status: string | null; after: string | null; limit: number },
): Promise<Overview[]> {
  return rows(queries, OverviewRow)`
    ${OVERVIEWS} where (${page.after}::text is null or a.id > ${page.after})
      and (${page.status}::text is null or a.status = ${page.status})
    order by a.id limit ${page.limit}`;
}
