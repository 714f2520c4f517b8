import { z } from 'zod';
import { PRIORITY } from '../../domain/names.ts';
import { AT_WORK_SECONDS } from '../dispatch.ts';
import { rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

const Waiting = z.object({ priority: z.int(), seconds: z.number() });

const PRIORITIES = [PRIORITY.reply, PRIORITY.api, PRIORITY.ai, PRIORITY.automation];

/** Fewer sends of a minute say nothing: one of them may have waited for something else. */
const FEWEST_SENDS = 3;
const LATEST_SENDS = 20;

/**
 * Reads for each priority how long work of an agency waits for the engine to begin it.
 *
 * Promises that no dispatcher took count only while some work of the agency goes. Otherwise Temporal is away, and what
 * is accepted is kept for later. Promises that waited meanwhile count from when the agency's work goes again, because
 * an outage is no reason to refuse sends after it.
 *
 * Sends that Temporal had count once they have gone, by the shortest wait for a worker within a minute, from when the
 * agency's work goes again and its session works. The wait ends when a worker takes the send: what the send waits for
 * then, such as a place of its account, is no worker. A send that a worker took more than a minute ago, or before its
 * session worked, does not count. Sends that wait now do not count: a worker may be down, or its execution may be
 * broken.
 */
export async function readAgencyBacklog(
  queries: Pick<Queries, 'sql' | 'now'>,
  agencyId: string,
): Promise<z.output<typeof Waiting>[]> {
  return rows(queries, Waiting)`
    select p.priority, extract(epoch from clock_timestamp() - greatest(oldest.not_before, w.since))::float8 as seconds
    from agency_at_work w cross join unnest(${PRIORITIES}::int[]) as p(priority) cross join lateral (
      select d.not_before from dispatch d
      where d.parked_at is null and d.priority = p.priority and d.agency_id = ${agencyId}
        and d.attempts = 0 and d.not_before <= clock_timestamp()
      order by d.id limit 1) oldest
    where w.agency_id = ${agencyId} and w.at > clock_timestamp() - ${AT_WORK_SECONDS} * interval '1 second'
    union all
    select w.priority,
      min(extract(epoch from m.taken_at - greatest(m.released_at, a.since, s.status_changed_at)))::float8
    from session s left join agency_at_work a on a.agency_id = s.agency_id cross join lateral (
      select o as sent, o.taken_at, o.released_at from message o
      where o.session_id = s.id and o.direction = 'out' and o.network_id is not null
        and o.sent_at > ${queries.now}::timestamptz - ${AT_WORK_SECONDS} * interval '1 second'
        -- A message from the phone has no release, and one of several attempts waited for its account.
        and o.released_at is not null and o.taken_at is not null and o.attempts = 1
        and not coalesce(o.content ? 'attachment', false)
        -- The wait of a send that was taken before says nothing about the workers of now.
        and o.taken_at > ${queries.now}::timestamptz - ${AT_WORK_SECONDS} * interval '1 second'
        and o.taken_at >= greatest(o.released_at, a.since, s.status_changed_at)
      order by o.sent_at desc limit ${LATEST_SENDS}) m cross join lateral message_workflow(m.sent) w
    where s.agency_id = ${agencyId} and s.deleted_at is null
    group by w.priority having count(*) >= ${FEWEST_SENDS}`;
}
