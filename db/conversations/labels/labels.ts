import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { Label } from '../../../domain/labels.ts';
import type { NetworkLabel } from '../../../domain/network/network-event.ts';
import { one, rows, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { findConversationOf } from '../conversation-of.ts';
import { lockConversation } from '../conversation.ts';

/** The time of a backend's report by its clock; null for what tells none. */
type ToldAt = Date | null;

/**
 * Marks the time of our own change. Reports have milliseconds, so none of them has such a time. The backend tells the
 * second of our change and no more: this is the end of it, until its report of the change brings the real time.
 */
const OWN_MARK_US = 999;
/** The report of our change is at most that much older than the end of that second. */
const OWN_CALL_S = 2;

/** Records labels as the backend tells them. A report that is older than a recorded one changes nothing. */
export async function recordLabels(
  tx: Tx,
  sessionId: string,
  labels: readonly (NetworkLabel & { isDeleted?: boolean })[],
  toldAt: ToldAt = null,
): Promise<void> {
  if (labels.length === 0) return;
  await run(tx)`
    insert into label as l (session_id, id, name, color, color_hex, is_deleted, told_at, changed_at)
    select ${sessionId}, n.id, n.name, n.color, n."colorHex", coalesce(n."isDeleted", false),
      coalesce(${toldAt}::timestamptz, '-infinity'), ${tx.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(labels)}::jsonb)
      as n(id text, name text, color integer, "colorHex" text, "isDeleted" boolean)
    order by n.id
    on conflict (session_id, id) do update set name = coalesce(excluded.name, l.name), color = excluded.color,
      color_hex = excluded.color_hex, is_deleted = excluded.is_deleted,
      told_at = greatest(l.told_at, excluded.told_at), changed_at = excluded.changed_at
    where (${toldAt}::timestamptz is null or l.told_at <= excluded.told_at)
      and (l.name, l.color, l.color_hex, l.is_deleted, l.told_at) is distinct from
        (excluded.name, excluded.color, excluded.color_hex, excluded.is_deleted,
          greatest(l.told_at, excluded.told_at))`;
}

/** Records the account's labels as they were read from `startedAt` on; what has changed since is newer, and stays. */
export async function recordAllLabels(
  tx: Tx,
  sessionId: string,
  labels: readonly NetworkLabel[],
  startedAt: Date,
): Promise<void> {
  await recordLabels(tx, sessionId, labels);
  await run(tx)`
    update label set is_deleted = true, changed_at = ${tx.now}
    where session_id = ${sessionId} and not is_deleted and changed_at < ${startedAt}
      and not id = any(${labels.map(({ id }) => id)}::text[])`;
}

/** Takes a label that was deleted off all chats. */
export async function takeOffDeleted(tx: Tx, sessionId: string, labelId: string): Promise<void> {
  await run(tx)`
    update chat_label c set is_set = false, changed_at = ${tx.now} from label l
    where l.session_id = ${sessionId} and l.id = ${labelId} and l.is_deleted
      and c.session_id = l.session_id and c.label_id = l.id and c.is_set`;
}

/** A chat by one address of the network, in the session of a tenant. */
export interface ChatPlace {
  agencyId: string;
  tenantId: string;
  sessionId: string;
  chatId: string;
}

/** The addresses of the contact who has this one; none for groups and for people who are not known. */
function aliasesOf({ agencyId, tenantId, chatId }: ChatPlace): RawBuilder<unknown> {
  return sql`select b.chat_id from contact_alias a join contact_alias b on b.contact_id = a.contact_id
    where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.chat_id = ${chatId}`;
}

const ChangedRow = z.object({ hasChanged: z.boolean() });

/**
 * Makes a request and the network's report of it wait for each other: the second one sees what the first has recorded,
 * so the change is told once.
 */
async function lockChat(tx: Tx, place: ChatPlace): Promise<void> {
  const conversation = await findConversationOf(tx, place, place);
  if (conversation) await lockConversation(tx, conversation.conversationId);
}

/**
 * Records that a label was put on a chat or taken off it. True when that changes what the chat has. It is taken off
 * under every address of the contact, because the network may use another one than when it was put on. The report of
 * our own change brings its real time, so that what the phone does later in that second is newer.
 */
export async function recordChatLabel(
  tx: Tx,
  place: ChatPlace,
  { labelId, isSet }: { labelId: string; isSet: boolean },
  toldAt: Date,
): Promise<boolean> {
  await lockChat(tx, place);
  const { hasChanged } = await one(tx, ChangedRow)`
    with before as (
      select chat_id from chat_label
      where session_id = ${place.sessionId} and label_id = ${labelId} and is_set
        and (chat_id = ${place.chatId} or chat_id in (${aliasesOf(place)}))
    ), wanted as (
      select ${place.chatId}::text as chat_id union select chat_id from before where not ${isSet}::boolean
    ), written as (
      insert into chat_label as c (session_id, chat_id, label_id, is_set, told_at, changed_at)
      select ${place.sessionId}, chat_id, ${labelId}, ${isSet}::boolean, ${toldAt}::timestamptz,
        ${tx.now}::timestamptz
      from wanted order by chat_id
      on conflict (chat_id, session_id, label_id) do update set is_set = excluded.is_set,
        told_at = excluded.told_at, changed_at = excluded.changed_at
      where c.told_at <= excluded.told_at or (c.is_set = excluded.is_set
        and extract(microseconds from c.told_at)::bigint % 1000 = ${sql.lit(OWN_MARK_US)}
        and c.told_at < excluded.told_at + ${sql.lit(OWN_CALL_S)} * interval '1 second')
      returning c.chat_id
    )
    select exists (select 1 from written) and exists (select 1 from before) <> ${isSet}::boolean as "hasChanged"`;
  return hasChanged;
}

/**
 * Records all labels that a chat has. True when that changes them. `toldAt` is when the backend has set them, by its
 * clock: its reports of what was there before change nothing any more. A label that was so already keeps its time.
 */
export async function recordChatLabels(
  tx: Tx,
  place: ChatPlace,
  labelIds: readonly string[],
  toldAt: ToldAt = null,
): Promise<boolean> {
  await lockChat(tx, place);
  const { hasChanged } = await one(tx, ChangedRow)`
    with before as (
      select chat_id, label_id, is_set from chat_label
      where session_id = ${place.sessionId} and (chat_id = ${place.chatId} or chat_id in (${aliasesOf(place)}))
    ), wanted as (
      select ${place.chatId}::text as chat_id, l.id as label_id, true as is_set
      from unnest(${labelIds}::text[]) as l(id)
      union all
      select chat_id, label_id, false from before where is_set and not label_id = any(${labelIds}::text[])
    ), written as (
      insert into chat_label as c (session_id, chat_id, label_id, is_set, told_at, changed_at)
      select ${place.sessionId}, chat_id, label_id, is_set,
        coalesce(${toldAt}::timestamptz + ${sql.lit(OWN_MARK_US)} * interval '1 microsecond', '-infinity'),
        ${tx.now}::timestamptz
      from wanted order by chat_id, label_id
      on conflict (chat_id, session_id, label_id) do update set is_set = excluded.is_set,
        told_at = case when c.is_set = excluded.is_set then c.told_at else greatest(c.told_at, excluded.told_at) end,
        changed_at = excluded.changed_at
    )
    select exists (select 1 from wanted w
      where w.is_set <> exists (select 1 from before b where b.is_set and b.label_id = w.label_id)) as "hasChanged"`;
  return hasChanged;
}

const ConversationLabel = Label.extend({ conversationId: z.string() });

/** Reads the labels of conversations, whichever addresses of their contacts they were put on. */
export async function listLabelsOf(
  queries: Queries,
  sessionId: string,
  conversationIds: readonly string[],
): Promise<ReadonlyMap<string, Label[]>> {
  if (conversationIds.length === 0) return new Map();
  const found = await rows(queries, ConversationLabel)`
    with address as (
      select id, chat_id from conversation where id = any(${conversationIds}::text[]) and session_id = ${sessionId}
      union
      select c.id, a.chat_id from conversation c join contact_alias a on a.contact_id = c.contact_id
      where c.id = any(${conversationIds}::text[]) and c.session_id = ${sessionId}
    )
    select distinct d.id as "conversationId", c.label_id as id, l.name, l.color, l.color_hex as "colorHex",
      length(c.label_id)
    from address d join chat_label c on c.chat_id = d.chat_id and c.session_id = ${sessionId} and c.is_set
      left join label l on l.session_id = c.session_id and l.id = c.label_id
    where l.is_deleted is not true
    order by length(c.label_id), c.label_id`;
  const labels = Map.groupBy(found, ({ conversationId }) => conversationId);
  return new Map([...labels].map(([id, own]) => [id, own.map(({ conversationId: _conversation, ...label }) => label)]));
}
