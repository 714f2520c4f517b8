import { z } from 'zod';
import { PRIORITY } from '../../domain/names.ts';
import { AT_WORK_SECONDS } from '../dispatch.ts';
import { rows } from '../rows.ts';
import type { Queries } from '../tx.ts';

const Waiting = z.object({ priority: z.int(), seconds: z.number() });

const PRIORITIES = [PRIORITY.reply, PRIORITY.api, PRIORITY.ai, PRIORITY.automation];

/**
 * Reads since when an agency's oldest work of each priority waits that nobody has started. Nothing, where none of its
 * work goes at all: then Temporal is away or no worker runs, and what is accepted is kept for later. What waited
 * meanwhile counts from when the agency's work goes again, because an outage is no reason to refuse sends after it.
 */
export async function readAgencyBacklog(
  queries: Pick<Queries, 'sql'>,
  agencyId: string,
): Promise<z.output<typeof Waiting>[]> {
  return rows(queries, Waiting)`
    select p.priority, extract(epoch from clock_timestamp() - greatest(oldest.not_before, w.since))::float8 as seconds
    from agency_at_work w cross join unnest(${PRIORITIES}::int[]) as p(priority) cross join lateral (
      select d.not_before from dispatch d
      where d.parked_at is null and d.priority = p.priority and d.agency_id = ${agencyId}
        and d.attempts = 0 and d.not_before <= clock_timestamp()
      order by d.id limit 1) oldest
    where w.agency_id = ${agencyId} and w.at > clock_timestamp() - ${AT_WORK_SECONDS} * interval '1 second'`;
}
