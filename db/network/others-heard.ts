import { z } from 'zod';
import { ON_ITS_WAY_MS } from '../../domain/sessions/comparison.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import { one } from '../engine/rows.ts';
import type { Session } from '../sessions/session.ts';
import type { Queries } from '../engine/tx.ts';

/** Another session was heard within this time before a missed message, and after it. */
const AROUND_MS = 300_000;
/** If nothing was missed, others were heard this recently. */
const LATELY_MS = 3_600_000;
/** This number of missed messages is proof enough. */
const MAX_TIMES = 50;

const Answer = z.object({ othersHeard: z.boolean() });

/**
 * Says whether other sessions of the backend were heard both before and after one of these times, so that the backend
 * reached the engine then. True for a session that nobody works beside. It reads the sessions of all tenants, for they
 * share the backend, and answers nothing about them. Messages that were fetched come late, and do not count as heard.
 */
export async function wereOthersHeard(
  queries: Queries,
  { id, backend }: Pick<Session, 'id' | 'backend'>,
  missedAt: readonly Date[],
): Promise<boolean> {
  const newest = missedAt.toSorted((a, b) => b.getTime() - a.getTime()).slice(0, MAX_TIMES);
  const times = newest.length > 0 ? newest : [new Date(queries.now.getTime() - LATELY_MS)];
  const aroundMs = newest.length > 0 ? AROUND_MS : LATELY_MS;
  const { othersHeard } = await one(queries, Answer)`
    select not exists (select 1 from session o where o.backend = ${backend} and o.id <> ${id}
        and o.status = ${WORKING})
      or exists (
        select 1 from unnest(${times}::timestamptz[]) as missed_at
        cross join lateral (values (missed_at - ${aroundMs} * interval '1 millisecond', missed_at),
          (missed_at, missed_at + ${aroundMs} * interval '1 millisecond')) as side(starts_at, ends_at)
        where exists (
          select 1 from event e join session o on o.id = e.session_id
          where e.created_at >= side.starts_at and e.created_at < side.ends_at and e.type = 'message'
            and o.backend = ${backend} and o.id <> ${id}
            and case when e.type = 'message'
              then to_timestamp((e.body::jsonb #>> '{payload,timestamp}')::float8)
                > e.created_at - ${ON_ITS_WAY_MS} * interval '1 millisecond' end)
        group by missed_at having count(*) = 2
      ) as "othersHeard"`;
  return othersHeard;
}
