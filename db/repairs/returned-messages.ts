import { sql } from 'kysely';
import { run } from '../engine/rows.ts';
import { foundBy } from './repair.ts';
import type { Repair } from './repair.ts';

/** Messages that are older than the tenant keeps, because audits have brought them back. */
export const returnedMessages: Repair = {
  name: 'returned-messages',
  title: 'tenants with messages that are older than they keep',
  // A look of the retention that is about to begin at the first conversation deletes them without any repair.
  find: (queries) =>
    foundBy(
      queries,
      sql`select t.agency_id || ' ' || t.id || ' ' || back.messages || ' messages' as line
        from tenant t cross join lateral (
          select count(*) as messages from conversation c join message m on m.conversation_id = c.id
          where c.agency_id = t.agency_id and c.tenant_id = t.id
            and m.occurred_at < kept_since(t.agency_id, t.id, ${queries.now}::timestamptz)
            and coalesce(m.sent_at, m.occurred_at) < kept_since(t.agency_id, t.id, ${queries.now}::timestamptz)
            and m.status not in ('queued', 'sending', 'scheduled')) back
        where t.settings ? 'messageRetentionDays' and back.messages > 0
          and not exists (select from retention_sweep where ended_at is null and after_id = '')`,
    ),
  /** Has the retention look at all conversations now: it deletes them, and what was counted as unread with them. */
  async mend(tx) {
    await run(tx)`update retention_sweep set ended_at = null, after_id = ''`;
  },
};
