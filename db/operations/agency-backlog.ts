import { z } from 'zod';
import { PRIORITY } from '../../domain/names.ts';
import { AT_WORK_SECONDS } from '../dispatch.ts';
import { SHEDS_FROM_SECONDS } from '../../domain/sending/shedding.ts';
import { rows } from '../rows.ts';
import type { Queries } from '../tx.ts';

const Waiting = z.object({ priority: z.int(), seconds: z.number() });

const PRIORITIES = [PRIORITY.reply, PRIORITY.api, PRIORITY.ai, PRIORITY.automation];

/**
 * Reads since when an agency's oldest work of each priority waits that nobody has started.
 *
 * Promises that no dispatcher took count only while some work of the agency goes. Otherwise Temporal is away, and what
 * is accepted is kept for later. What waited meanwhile counts from when the agency's work goes again, because an outage
 * is no reason to refuse sends after it.
 *
 * Sends that Temporal has and no worker tried count only if the agency has sent something within a minute. Otherwise
 * no worker runs. Temporal gives a session's sends out in their order, so one that was released before the last that
 * went waits for something else, or its execution is broken, and does not count.
 */
export async function readAgencyBacklog(
  queries: Pick<Queries, 'sql'>,
  agencyId: string,
): Promise<z.output<typeof Waiting>[]> {
  return rows(queries, Waiting)`
    with begun as materialized (
      select m.session_id, w.priority, greatest(m.released_at, m.promised_at) as since
      from session s join message m on m.session_id = s.id cross join lateral message_workflow(m) w
        left join backend b on b.id = s.backend
      where s.agency_id = ${agencyId} and is_working(s.status) and b.trouble is null
        and m.status = 'queued' and m.attempts = 0
        and m.released_at < clock_timestamp() - ${SHEDS_FROM_SECONDS} * interval '1 second'
        and not (m.media is null and coalesce(m.content ? 'attachment', false))
        and not exists (select from message o where o.conversation_id = m.conversation_id
          and (o.status = 'sending' or (o.status = 'queued' and o.attempts > 0)))),
    last as materialized (
      select s.id, m.sent_at, m.released_at from session s cross join lateral (
        select m.sent_at, m.released_at from message m
        where m.session_id = s.id and m.direction = 'out' and m.network_id is not null and m.sent_at is not null
        order by m.sent_at desc limit 1) m
      where s.agency_id = ${agencyId} and exists (select from begun))
    select p.priority, extract(epoch from clock_timestamp() - greatest(oldest.not_before, w.since))::float8 as seconds
    from agency_at_work w cross join unnest(${PRIORITIES}::int[]) as p(priority) cross join lateral (
      select d.not_before from dispatch d
      where d.parked_at is null and d.priority = p.priority and d.agency_id = ${agencyId}
        and d.attempts = 0 and d.not_before <= clock_timestamp()
      order by d.id limit 1) oldest
    where w.agency_id = ${agencyId} and w.at > clock_timestamp() - ${AT_WORK_SECONDS} * interval '1 second'
    union all
    select b.priority, extract(epoch from clock_timestamp() - min(b.since))::float8
    from begun b left join last l on l.id = b.session_id
    where b.since > coalesce(l.released_at, '-infinity')
      and exists (select from last where sent_at > clock_timestamp() - ${AT_WORK_SECONDS} * interval '1 second')
    group by b.priority`;
}
