import { sql } from 'kysely';
import { run } from '../engine/rows.ts';
import { foundBy } from './repair.ts';
import type { Repair } from './repair.ts';

const IS_AHEAD = sql`occurred_at > now() + interval '1 minute' and status not in ('scheduled', 'queued', 'sending')`;

/** Messages that came with a time to come stay first in each list until then. */
export const futureMessages: Repair = {
  name: 'future-messages',
  title: 'messages that are dated in the future',
  find: (queries) => foundBy(queries, sql`select id as line from message where ${IS_AHEAD}`),
  async mend(tx) {
    await run(tx)`
      update message set occurred_at = least(created_at, now()), edited_at = least(edited_at, now()), updated_at = now()
      where ${IS_AHEAD}`;
    await run(tx)`
      update message_version set at = now(), told_at = least(told_at, now()) where at > now() + interval '1 minute'`;
    await run(tx)`
      update conversation c set last_message_id = newest.id, last_message_body = line_of(newest),
        last_message_from_me = newest.direction = 'out', last_message_at = newest.occurred_at,
        last_inbound_at = least(c.last_inbound_at, now())
      from conversation ahead cross join lateral (
        select m.* from message m
        where m.conversation_id = ahead.id and m.status <> 'scheduled' and m.content->'notice' is null
        order by m.occurred_at desc, m.id desc limit 1) newest
      where c.id = ahead.id and ahead.last_message_at > now() + interval '1 minute'`;
  },
};
