import { sql } from 'kysely';
import { run } from '../rows.ts';
import { foundBy } from './repair.ts';
import type { Repair } from './repair.ts';

/** Messages without content that another raw event names; that event may have the content. */
const LOST = sql`select m.id, m.network_id, s.name as session_name from message m join session s on s.id = m.session_id
  where m.network_id is not null and m.kind in ('text', 'other') and m.body = '' and m.media is null
    and m.revoked_at is null and not is_sent_by_engine(m.origin)
    and content_level(m.kind, m.body, m.media, m.content) < 2
    and (select count(*) from backend_event e where e.session_name = s.name and e.applied_at is not null
      and strpos(e.body, m.network_id) > 0 and e.body ~ '"event"\\s*:\\s*"message(\\.any)?"') > 1`;

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
