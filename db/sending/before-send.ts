import { sql } from 'kysely';
import { z } from 'zod';
import { MEDIA_KINDS } from '../../domain/sending/content.ts';
import { MessageKind } from '../../domain/sending/message-kind.ts';
import { LANES, MessageStatus } from '../../domain/sending/message.ts';
import { IdRow } from '../engine/columns.ts';
import type { Queries } from '../engine/tx.ts';
import { row, rows } from '../engine/rows.ts';

/**
 * The backend's answer whether a number is on the network stays valid for this many days, while nobody has written
 * there. A "no" expires sooner than a "yes".
 */
const UNKNOWN_VALID_DAYS = 1;
const KNOWN_VALID_DAYS = 30;

/**
 * The facts that are needed before a message is claimed. The claim reads again those that may have changed meanwhile.
 */
const BeforeSend = z.object({
  messageId: z.string(),
  status: MessageStatus,
  kind: MessageKind,
  body: z.string(),
  /** True for a message of a broadcast, for which nobody waits. */
  bulk: z.boolean(),
  /** True for a reply of a person, who waits for it. */
  isPersons: z.boolean(),
  agencyId: z.string(),
  sessionId: z.string(),
  backend: z.string(),
  sessionName: z.string(),
  sessionStatus: z.string(),
  platform: z.string().nullable(),
  conversationId: z.string(),
  chatId: z.string(),
  contactId: z.string().nullable(),
  /**
   * `unchecked` for a number to which nobody has written and from which nobody has heard; null when there is nothing to
   * check.
   */
  recipient: z.enum(['unchecked', 'not_on_network']).nullable(),
  /**
   * True when the contact shall see that somebody is typing: for replies of paced sessions, unless the tenant does not
   * want it.
   */
  types: z.boolean(),
});
export type BeforeSend = z.infer<typeof BeforeSend>;

/** Says where the message's session is, for its backend's calls. */
export function placeOf({ backend, sessionName }: Pick<BeforeSend, 'backend' | 'sessionName'>) {
  return { backend, name: sessionName };
}

/** Reads the facts. It takes no scope, because its caller is an activity, which has the id from a row. */
export async function findBeforeSend(queries: Queries, messageId: string): Promise<BeforeSend | undefined> {
  return row(queries, BeforeSend)`${factsAt(queries.now)} where m.id = ${messageId}`;
}

/** Reads the facts of several messages in one statement, in the order of their ids. */
export async function listBeforeSend(queries: Queries, messageIds: readonly string[]): Promise<BeforeSend[]> {
  return rows(queries, BeforeSend)`
    ${factsAt(queries.now)} where m.id = any(${messageIds}::text[]) order by m.id`;
}

/**
 * Lists those of these messages whose own executions have the time that they need: to fetch a file, or to show typing.
 */
export async function listSlow(queries: Queries, messageIds: readonly string[]): Promise<string[]> {
  const slow = await rows(queries, IdRow)`
    select m.id from message m join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id
      join pace_default d on d.one
    where m.id = any(${messageIds}::text[]) and (m.kind = any(${MEDIA_KINDS}::text[]) or ${TYPES})`;
  return slow.map(({ id }) => id);
}

/** True for a message `m` of the tenant `t` for which typing is shown first; `d` are the defaults of the pace. */
const TYPES = sql`(m.lane = ${LANES.reply} and is_paced(t.settings, d.per_minute)
  and coalesce(stored_flag(t.settings->'typing'), true))`;

function factsAt(now: Date) {
  return sql`
    select m.id as "messageId", m.status, m.kind, m.body, m.bulk, m.origin = 'person' and m.lane = 0 as "isPersons",
      m.agency_id as "agencyId", m.session_id as "sessionId", s.backend, s.name as "sessionName",
      s.status as "sessionStatus", s.platform,
      c.id as "conversationId", c.chat_id as "chatId", c.contact_id as "contactId", ${TYPES} as types,
      case when not is_phone(c.chat_id) or k.id is null then null
        when k.checked_at > ${now}::timestamptz - interval '1 day'
          * case when k.on_network then ${KNOWN_VALID_DAYS}::int else ${UNKNOWN_VALID_DAYS}::int end
        then case when k.on_network then null else 'not_on_network' end
        -- With exists, the planner may read all messages once for a batch; with a limit it cannot.
        when (select true from message w
          where w.conversation_id = c.id and (w.direction = 'in' or w.network_id is not null) limit 1) is null
        then 'unchecked' end as recipient
    from message m join conversation c on c.id = m.conversation_id join session s on s.id = m.session_id
    join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id join pace_default d on d.one
    left join contact k on k.id = c.contact_id`;
}
