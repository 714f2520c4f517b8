import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { emptyErasures } from './empty-erasures.ts';
import { forgottenStops } from './forgotten-stops.ts';
import { mistypedFiles } from './mistyped-files.ts';
import type { Found, Repair } from './repair.ts';
import { unreadContents } from './unread-contents.ts';
import { foundBy } from './repair.ts';
import { IS_EMPTY, reportsOf } from './empty-message.ts';

/** Messages that are older than the tenant keeps, because audits have brought them back. */
const returnedMessages: Repair = {
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

/** Messages without content that another raw event names; that event may have the content. */
const LOST = sql`select m.id, m.network_id, s.name as session_name from message m join session s on s.id = m.session_id
  where ${IS_EMPTY} and (${reportsOf(sql`e.applied_at is not null`)}) > 1`;

/**
 * Messages that stayed empty because their content came as a second report, which releases before 0.3 dropped. The raw
 * events are applied again, and fill the rows as if they came now.
 */
const lostContents: Repair = {
  name: 'lost-contents',
  title: 'messages without content that raw events may have',
  find: (queries) => foundBy(queries, sql`select lost.id as line from (${LOST}) lost`),
  async mend(tx) {
    await run(tx)`
      update backend_event e set applied_at = null, attempts = 0, retry_at = null from (${LOST}) lost
      where e.session_name = lost.session_name and e.applied_at is not null and strpos(e.body, lost.network_id) > 0`;
  },
};

const IS_AHEAD = sql`occurred_at > now() + interval '1 minute' and status not in ('scheduled', 'queued', 'sending')`;

/** Messages that came with a time to come stay first in each list until then. */
const futureMessages: Repair = {
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

/** Every repair, in its order. A new one is a file of its own and a line here. */
const REPAIRS: readonly Repair[] = [
  lostContents,
  unreadContents,
  futureMessages,
  mistypedFiles,
  forgottenStops,
  returnedMessages,
  emptyErasures,
];

export const REPAIR_NAMES: readonly string[] = REPAIRS.map(({ name }) => name);

const NAME_WIDTH = Math.max(...REPAIR_NAMES.map((name) => name.length)) + 1;

/** Lists what is wrong. It changes nothing. Names choose repairs; without any it looks for all. */
export async function listRepairs(
  database: Database,
  names: readonly string[] = [],
): Promise<{ repair: Repair; found: Found }[]> {
  const listed = [];
  for (const repair of REPAIRS) {
    if (names.length > 0 && !names.includes(repair.name)) continue;
    listed.push({ repair, found: await unhurried(database, (tx) => repair.find(tx)) });
  }
  return listed;
}

/**
 * Lists what is wrong, then mends it, each repair in a transaction of its own. A repair that deletes runs only when it
 * is named. Returns how much was wrong.
 */
export async function runRepairs(
  database: Database,
  names: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  const listed = await listRepairs(database, names);
  for (const { repair, found } of listed) {
    say(`${repair.name.padEnd(NAME_WIDTH)} ${found.count} ${repair.title}`);
    for (const line of found.first) say(`${' '.repeat(NAME_WIDTH + 1)}${line}`);
    const others = found.count - found.first.length;
    if (others > 0) say(`${' '.repeat(NAME_WIDTH + 1)}… and ${others} more`);
  }
  for (const { repair, found } of listed) {
    if (found.count === 0) continue;
    const label = repair.name.padEnd(NAME_WIDTH);
    if (repair.deletes === true && !names.includes(repair.name)) {
      say(`${label} left as it is: it deletes. To mend it: ./engine doctor --repair ${repair.name}`);
      continue;
    }
    await unhurried(database, (tx) => repair.mend(tx));
    say(`${label} ${repair.mended ?? 'repaired'}`);
  }
  return listed.reduce((sum, { found }) => sum + found.count, 0);
}

/** A look at every message may take longer than any statement of the engine's own work may. */
function unhurried<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await run(tx)`set local statement_timeout = 0`;
    return work(tx);
  });
}
