import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** An SQL condition: the network has shown the message `m`, and nothing of what it says is here. */
export const IS_EMPTY = sql`(m.network_id is not null and m.kind in ('text', 'other') and m.body = ''
  and m.media is null and m.revoked_at is null and not is_sent_by_engine(m.origin)
  and content_level(m.kind, m.body, m.media, m.content) < 2)`;

/** An SQL query: how many raw events report the message `m` of the session `s`. */
export function reportsOf(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select count(*) from backend_event e where e.session_name = s.name and ${which}
    and strpos(e.body, m.network_id) > 0 and e.body ~ '"event"\\s*:\\s*"message(\\.any)?"'`;
}
