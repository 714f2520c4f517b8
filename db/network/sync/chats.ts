import { z } from 'zod';
import type { NetworkChat } from '../../../domain/network/network-event.ts';
import type { ChatStep } from '../../../domain/sessions/history-sync.ts';
import { rows, row, run } from '../../engine/rows.ts';
import type { Session } from '../../sessions/session.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { tellProgress } from './progress.ts';

const Known = z.object({
  place: z.int(),
  conversationId: z.string().nullable(),
  isSame: z.boolean(),
  isNew: z.boolean(),
});

/** The facts of a chat that the backend lists; `isSame`: importing it would change nothing. */
export interface ListedChat {
  chat: NetworkChat;
  conversationId: string | null;
  isSame: boolean;
  /** Its last message is not here. */
  isNew: boolean;
}

/** Compares a page of the backend's list with our rows, in one statement. */
export async function compareChats(
  queries: Queries,
  session: Pick<Session, 'id' | 'agencyId' | 'tenantId'>,
  chats: readonly NetworkChat[],
): Promise<ListedChat[]> {
  const listed = chats.map(({ chatId, name, pictureUrl, lastMessage }, place) => ({
    place,
    chatId,
    name,
    pictureUrl,
    lastId: lastMessage?.networkId ?? null,
  }));
  const known = await rows(queries, Known)`
    select l.place, c.id as "conversationId",
      c.id is not null
        and (coalesce(l.name, c.name) is not distinct from c.name
          -- A person's name is the contact's; a group that began with a live message has none yet.
          or (c.name is null and not is_group(l."chatId")))
        and coalesce(l."pictureUrl", c.picture_url) is not distinct from c.picture_url as "isSame",
      -- With exists, the planner may read all messages of the session; with a limit it cannot.
      l."lastId" is null or (select true from message m where m.network_id = l."lastId"
        and m.session_id = ${session.id} and m.direction in ('in', 'out') limit 1) is null as "isNew"
    from jsonb_to_recordset(${JSON.stringify(listed)}::jsonb)
      as l(place integer, "chatId" text, name text, "pictureUrl" text, "lastId" text)
    left join lateral (
      select conversation_now(k) as id from conversation k
      where k.session_id = ${session.id} and k.chat_id = l."chatId"
      union all
      select k.id from contact_alias a join conversation k on k.session_id = ${session.id}
        and k.contact_id = a.contact_id and k.merged_into is null
      where a.agency_id = ${session.agencyId} and a.tenant_id = ${session.tenantId} and a.chat_id = l."chatId"
      limit 1
    ) here on true
    left join conversation c on c.id = here.id
    order by l.place`;
  return known.flatMap(({ place, ...rest }) => {
    const chat = chats[place];
    return chat === undefined ? [] : [{ chat, ...rest }];
  });
}

/** A page of the list, compared with our rows. */
interface ListedPage {
  chats: readonly { conversationId: string; chatId: string; isNew: boolean }[];
  /** Position of the next page of the list. Null at the end. */
  next: number | null;
  isDeep: boolean;
}

const Recorded = z.object({ waiting: z.int() });

/**
 * Records a page of the list: chats with something new wait to be read, and those whose older messages are wanted.
 * Returns how many of the page wait.
 */
export async function recordListed(tx: Tx, sessionId: string, { chats, next, isDeep }: ListedPage): Promise<number> {
  const recorded = await row(tx, Recorded)`
    with run as (
      select session_id, per_chat, not is_held as reads_older from history_sync
      where session_id = ${sessionId} and finished_at is null for no key update
    ), listed as (
      select c.id, l."chatId", l."isNew", c.history_synced as read_before, h.per_chat,
        c.history_synced < h.per_chat and h.reads_older and (${isDeep} or not c.history_complete) as is_deep,
        not c.history_complete and c.history_synced >= h.per_chat as is_bounded
      from run h cross join jsonb_to_recordset(${JSON.stringify(chats)}::jsonb)
        as l("conversationId" text, "chatId" text, "isNew" boolean)
      join conversation k on k.id = l."conversationId"
      -- A merge since the comparison leads on.
      join conversation c on c.id = conversation_now(k)
    ), waiting as (
      insert into history_read as r (session_id, conversation_id, chat_id, read, read_before, is_deep)
      select ${sessionId}, id, "chatId", case when "isNew" then 0 else read_before end, read_before, is_deep
      from listed where "isNew" or is_deep
      on conflict (session_id, conversation_id, chat_id) do update
        set read = least(r.read, excluded.read), is_deep = r.is_deep or excluded.is_deep
      returning 1
    ), moved as (
      update history_sync h set list_offset = ${next}::integer, error = null,
        chats = h.chats + (select count(*) from listed),
        is_bounded = h.is_bounded or exists (select 1 from listed where is_bounded)
      from run where h.session_id = run.session_id
    )
    select count(*)::int as waiting from waiting`;
  return recorded?.waiting ?? 0;
}

const ChatToRead = z.object({
  conversationId: z.string(),
  chatId: z.string(),
  contactId: z.string().nullable(),
  read: z.int(),
  readBefore: z.int(),
  isDeep: z.boolean(),
  perChat: z.int().nullable(),
  isGone: z.boolean(),
});
/** A chat that waits to be read. */
export type ChatToRead = z.output<typeof ChatToRead>;

/**
 * Returns the chat of which the fewest messages were read, so that every chat has its newest soon; none of the
 * conversations that are passed over. A chat of a conversation that was merged is still read: the list of the other one
 * shows other messages.
 */
export async function nextChat(
  queries: Queries,
  sessionId: string,
  passedOver: readonly string[] = [],
): Promise<ChatToRead | undefined> {
  return row(queries, ChatToRead)`
    select r.conversation_id as "conversationId", r.chat_id as "chatId", c.contact_id as "contactId", r.read,
      r.read_before as "readBefore", r.is_deep as "isDeep", r.per_chat as "perChat",
      c.id is null as "isGone"
    from history_read r left join conversation c on c.id = r.conversation_id
    where r.session_id = ${sessionId} and r.conversation_id <> all(${[...passedOver]}::text[])
    order by r.read, r.place limit 1`;
}

/** Takes a chat out of those that wait: its person was erased, or so much was read of all that it is left. */
export async function leaveChat(
  tx: Tx,
  sessionId: string,
  { conversationId, chatId, isGone }: ChatToRead,
): Promise<void> {
  await run(tx)`
    with gone as (
      delete from history_read
      where session_id = ${sessionId} and conversation_id = ${conversationId} and chat_id = ${chatId}
    )
    update history_sync set is_bounded = is_bounded or ${!isGone} where session_id = ${sessionId}`;
}

/** The facts of a page of a chat. */
interface ReadPage {
  chat: ChatToRead;
  /** The conversation that the chat is now. */
  conversationId: string;
  step: ChatStep;
  messages: number;
  imported: number;
  missed: number;
}

/** Dashboards are told of a run this often at most. */
const TELL_EVERY_MS = 5_000;

const Moved = z.object({ tells: z.boolean() });

/**
 * Records a page of a chat in the transaction that writes its messages, so that a run whose worker is killed goes on
 * exactly there. False when the run was stopped meanwhile. Readers who wait for the chat are woken.
 */
export async function recordPage(tx: Tx, session: Session, page: ReadPage): Promise<boolean> {
  const { chat, conversationId, step, messages, imported, missed } = page;
  const here = { sessionId: session.id, conversationId: chat.conversationId, chatId: chat.chatId };
  const moved = await row(tx, Moved)`
    with run as (
      update history_sync set messages = messages + ${messages}, imported = imported + ${imported},
        imported_in_all = imported_in_all + ${imported}, missed = missed + ${missed}, error = null,
        is_bounded = is_bounded or ${step.isBounded},
        told_at = case when told_at > ${tx.now}::timestamptz - ${TELL_EVERY_MS} * interval '1 millisecond'
          then told_at else ${tx.now}::timestamptz end
      where session_id = ${here.sessionId} and finished_at is null
      returning told_at is not distinct from ${tx.now}::timestamptz as tells
    ), conversation_read as (
      update conversation set history_synced = greatest(history_synced, ${step.upTo}),
        history_complete = coalesce(${step.isComplete}::boolean, history_complete)
      where id = ${conversationId} and exists (select 1 from run)
        and (history_synced < ${step.upTo}
          or history_complete is distinct from coalesce(${step.isComplete}::boolean, history_complete))
    ), goes_on as (
      update history_read set read = ${step.next ?? 0}
      where session_id = ${here.sessionId} and conversation_id = ${here.conversationId}
        and chat_id = ${here.chatId} and ${step.next !== null}
    ), is_read as (
      delete from history_read
      where session_id = ${here.sessionId} and conversation_id = ${here.conversationId}
        and chat_id = ${here.chatId} and ${step.next === null}
    )
    select tells from run`;
  tx.wake('message', conversationId);
  if (moved?.tells === true) await tellProgress(tx, session);
  return moved !== undefined;
}
