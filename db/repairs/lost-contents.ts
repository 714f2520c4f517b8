import { sql } from 'kysely';
import { run } from '../engine/rows.ts';
import { IS_EMPTY, reportsOf } from './empty-message.ts';
import { foundBy } from './repair.ts';
import type { Repair } from './repair.ts';

/** Messages without content that another raw event names; that event may have the content. */
const LOST = sql`select m.id, m.network_id, s.name as session_name from message m join session s on s.id = m.session_id
  where ${IS_EMPTY} and (${reportsOf(sql`e.applied_at is not null`)}) > 1`;

/**
 * Messages that stayed empty because their content came as a second report, which releases before 0.3 dropped. The raw
 * events are applied again, and fill the rows as if they came now.
 */
export const lostContents: Repair = {
  name: 'lost-contents',
  title: 'messages without content that raw events may have',
  find: (queries) => foundBy(queries, sql`select lost.id as line from (${LOST}) lost`),
  async mend(tx) {
    await run(tx)`
      update backend_event e set applied_at = null, attempts = 0, retry_at = null from (${LOST}) lost
      where e.session_name = lost.session_name and e.applied_at is not null and strpos(e.body, lost.network_id) > 0`;
  },
};
