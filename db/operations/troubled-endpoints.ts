import { z } from 'zod';
import { rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

/** At most this many endpoints are named; the counts of `engine status` tell how many there are. */
const MAX_NAMED_ENDPOINTS = 10;

const TroubledEndpoint = z.object({
  id: z.string(),
  agencyId: z.string(),
  /** The session whose events it gets; null for an endpoint of the whole agency. */
  sessionId: z.string().nullable(),
  status: z.string(),
  lastError: z.string().nullable(),
  failingSince: z.date().nullable(),
});
export type TroubledEndpoint = z.output<typeof TroubledEndpoint>;

/** Lists the endpoints that fail or are disabled, over all agencies, those that have failed for longest first. */
export async function listTroubledEndpoints(queries: Pick<Queries, 'sql'>): Promise<TroubledEndpoint[]> {
  return rows(queries, TroubledEndpoint)`
    select e.id, e.agency_id as "agencyId", e.session_id as "sessionId", e.status, h.last_error as "lastError",
      h.failing_since as "failingSince"
    from endpoint e left join endpoint_health h on h.endpoint_id = e.id
    where e.deleted_at is null and (e.status = 'disabled' or (e.status = 'active' and h.failing_since is not null))
    order by h.failing_since nulls last, e.id limit ${MAX_NAMED_ENDPOINTS}`;
}
