import { z } from 'zod';
import { PRIORITY } from '../../domain/names.ts';
import { rows } from '../rows.ts';
import type { Queries } from '../tx.ts';

const Waiting = z.object({ priority: z.int(), seconds: z.number() });

const PRIORITIES = [PRIORITY.reply, PRIORITY.api, PRIORITY.ai, PRIORITY.automation];
/** Dispatchers note every three seconds whose work goes; one that is slow takes the next batch within a minute. */
const AT_WORK_SECONDS = 60;

/**
 * Reads since when an agency's oldest work of each priority waits that nobody has started. Nothing, where none of its
 * work goes at all: then Temporal is away or no worker runs, and what is accepted is kept for later.
 */
export async function readAgencyBacklog(
  queries: Pick<Queries, 'sql'>,
  agencyId: string,
): Promise<z.output<typeof Waiting>[]> {
  return rows(queries, Waiting)`
    select p.priority, extract(epoch from clock_timestamp() - oldest.not_before)::float8 as seconds
    from unnest(${PRIORITIES}::int[]) as p(priority) cross join lateral (
      select d.not_before from dispatch d
      where d.parked_at is null and d.priority = p.priority and d.agency_id = ${agencyId}
        and d.attempts = 0 and d.not_before <= clock_timestamp()
      order by d.id limit 1) oldest
    where exists (
      select 1 from agency_at_work w
      where w.agency_id = ${agencyId} and w.at > clock_timestamp() - ${AT_WORK_SECONDS} * interval '1 second')`;
}
