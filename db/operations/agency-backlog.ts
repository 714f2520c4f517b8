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
/** A worker of an engine in time takes a send within a part of a second. */
const SLOW_SECONDS = 2;

/**
 * Reads for each priority how long work of an agency waits for the engine to begin it.
 *
 * Promises that no dispatcher took count only while some work of the agency goes. Otherwise Temporal is away, and what
 * is accepted is kept for later. What waited meanwhile counts from when the agency's work goes again, because an outage
 * is no reason to refuse sends after it.
 *
 * Sends that Temporal had count once they have gone, by the shortest wait for a worker within a minute. What waits now
 * does not count: a worker may be away, its account may be silent, or its execution may be broken.
 *
 * Sends that wait for a place among those on their way count while workers take most of the time that the last ones
 * took. Else the account is what is slow. A hold by pace or quiet hours counts never.
 */
export async function readAgencyBacklog(
  queries: Pick<Queries, 'sql' | 'now'>,
  agencyId: string,
): Promise<z.output<typeof Waiting>[]> {
  return rows(queries, Waiting)`
    with latest as materialized (
      select s.id as session_id, s.status_changed_at, w.priority,
        extract(epoch from m.begun_at - m.released_at) as waited,
        extract(epoch from (m.sent).sent_at - m.begun_at) as took
      from session s cross join lateral (
        select o as sent, coalesce(o.claimed_at, o.sent_at) as begun_at, o.released_at from message o
        where o.session_id = s.id and o.direction = 'out' and o.network_id is not null
          and o.sent_at > ${queries.now}::timestamptz - ${AT_WORK_SECONDS} * interval '1 second'
          -- A message from the phone has no release, and one of several attempts waited for its account.
          and o.released_at is not null and o.attempts = 1 and not coalesce(o.content ? 'attachment', false)
        order by o.sent_at desc limit ${LATEST_SENDS}) m cross join lateral message_workflow(m.sent) w
      where s.agency_id = ${agencyId}
    ), late as (
      select session_id, status_changed_at, priority from latest group by session_id, status_changed_at, priority
      having count(*) >= ${FEWEST_SENDS} and min(waited) >= ${SLOW_SECONDS} and sum(waited) > sum(took)
    )
    select p.priority, extract(epoch from clock_timestamp() - greatest(oldest.not_before, w.since))::float8 as seconds
    from agency_at_work w cross join unnest(${PRIORITIES}::int[]) as p(priority) cross join lateral (
      select d.not_before from dispatch d
      where d.parked_at is null and d.priority = p.priority and d.agency_id = ${agencyId}
        and d.attempts = 0 and d.not_before <= clock_timestamp()
      order by d.id limit 1) oldest
    where w.agency_id = ${agencyId} and w.at > clock_timestamp() - ${AT_WORK_SECONDS} * interval '1 second'
    union all
    select priority, min(waited)::float8 from latest group by priority having count(*) >= ${FEWEST_SENDS}
    union all
    select late.priority,
      extract(epoch from ${queries.now}::timestamptz - greatest(oldest.ready_at, late.status_changed_at))::float8
    from late cross join (values (false), (true)) q(bulk) cross join lateral (
      select o as head, o.ready_at, o.held_by from message o
      where o.session_id = late.session_id and o.lane = 1 and o.bulk = q.bulk and o.status = 'queued'
        and o.released_at is null and o.ready_at is not null and o.ready_at <= ${queries.now}::timestamptz
      order by o.ready_at, o.id limit 1) oldest cross join lateral message_workflow(oldest.head) w
    where oldest.held_by = 'queue' and w.priority = late.priority`;
}
