import { LATE_OF_RETURN } from '../../../domain/sessions/history-sync.ts';
import type { SyncCause } from '../../../domain/sessions/history-sync.ts';
import { run } from '../../engine/rows.ts';
import { promiseSync } from '../../sessions/session-workflow.ts';
import type { Tx } from '../../engine/tx.ts';

/** The bounds that somebody asks for; those that are left out stay. */
export interface AskedBounds {
  messagesPerChat?: number | undefined;
  messagesPerSession?: number | undefined;
  days?: number | undefined;
  /** Dashboards get an event for each message that is read. */
  events?: boolean | undefined;
}

interface Wanted {
  cause: SyncCause;
  /** The least number of pages of chats to list; null = all. */
  pages: number | null;
  bounds?: AskedBounds;
}

/** Wants the past of an account to be read, and promises the run. */
export async function wantSync(tx: Tx, sessionId: string, wanted: Wanted): Promise<void> {
  await noteWanted(tx, sessionId, wanted);
  await promiseSync(tx, sessionId, { pages: wanted.pages ?? 1, isAsked: wanted.cause === 'asked' });
}

/**
 * Notes that the past of an account is to be read. A run that goes on reads what is wanted anyway, unless somebody asks
 * for more. An account that is another one than before begins anew.
 */
export async function noteWanted(tx: Tx, sessionId: string, { cause, pages, bounds = {} }: Wanted): Promise<void> {
  const isAsked = cause === 'asked';
  const { messagesPerChat = null, messagesPerSession = null, days = null, events = null } = bounds;
  await run(tx)`
    delete from history_sync h using session s
    where h.session_id = ${sessionId} and s.id = h.session_id and s.chat_id <> h.account`;
  await run(tx)`
    insert into history_sync as h (session_id, agency_id, tenant_id, account, listens_from, asked_per_chat,
      asked_in_all, asked_days, tells, wanted, wanted_pages, next_at)
    select s.id, s.agency_id, s.tenant_id, s.chat_id, coalesce(s.synced_at, s.status_changed_at),
      ${messagesPerChat}::integer, ${messagesPerSession}::integer, ${days}::integer,
      coalesce(${events}::boolean, false),
      ${cause}::text, ${pages}::integer,
      ${tx.now}::timestamptz + ${PROMISED_AGAIN_AFTER_MS} * interval '1 millisecond'
    from session s where s.id = ${sessionId} and s.deleted_at is null
    on conflict (session_id) do update set account = coalesce(h.account, excluded.account),
      asked_per_chat = coalesce(excluded.asked_per_chat, h.asked_per_chat),
      asked_in_all = coalesce(excluded.asked_in_all, h.asked_in_all),
      asked_days = coalesce(excluded.asked_days, h.asked_days),
      tells = case when ${isAsked} then excluded.tells else h.tells end,
      is_held = h.is_held and not ${isAsked},
      late = case when ${cause === 'connected'} then least(h.late, ${LATE_OF_RETURN}) else h.late end,
      -- Earlier requests stay in force: the whole list contains every part of it.
      wanted = case when h.wanted is null or ${isAsked} then excluded.wanted else h.wanted end,
      wanted_pages = case when h.wanted is null then excluded.wanted_pages
        when h.wanted_pages is null or excluded.wanted_pages is null then null
        else greatest(h.wanted_pages, excluded.wanted_pages) end,
      next_at = excluded.next_at
    where ${isAsked} or h.finished_at is not null or h.started_at is null`;
}

/** A run of which nothing was heard for this long is promised again. */
export const PROMISED_AGAIN_AFTER_MS = 15 * 60_000;

/** Wants the older messages of one chat to be read, with or without a bound of its own. */
export async function wantChat(
  tx: Tx,
  { sessionId, conversationId, chatId }: { sessionId: string; conversationId: string; chatId: string },
  perChat: number | null,
): Promise<void> {
  await run(tx)`
    insert into history_read as r (session_id, conversation_id, chat_id, read, read_before, is_deep, per_chat)
    select ${sessionId}, c.id, ${chatId}, 0, c.history_synced, true, ${perChat}::integer
    from conversation c where c.id = ${conversationId}
    on conflict (session_id, conversation_id, chat_id) do update set is_deep = true,
      per_chat = greatest(r.per_chat, excluded.per_chat)`;
}

/**
 * Stops the reading of an account's past. New messages are still read when the account comes back; old ones wait for a
 * request. False when nothing of the session was ever read.
 */
export async function stopSync(tx: Tx, sessionId: string): Promise<boolean> {
  await run(tx)`delete from history_read where session_id = ${sessionId}`;
  const stopped = await run(tx)`
    update history_sync set is_held = true, wanted = null, list_offset = null,
      outcome = case when finished_at is null and started_at is not null then 'stopped' else outcome end,
      finished_at = case when started_at is not null then coalesce(finished_at, ${tx.now}) end
    where session_id = ${sessionId}`;
  return stopped > 0;
}
