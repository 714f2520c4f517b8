import { z } from 'zod';
import { nextSyncAt, SYNC_CAUSES, SYNC_OUTCOMES } from '../../../domain/sessions/history-sync.ts';
import type { HistorySettings, SyncOutcome } from '../../../domain/sessions/history-sync.ts';
import { Timestamp } from '../../engine/columns.ts';
import { row, run } from '../../engine/rows.ts';
import type { Session } from '../../sessions/session.ts';
import { recordSynced } from '../../sessions/session.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { tellProgress } from './progress.ts';
import { PROMISED_AGAIN_AFTER_MS } from './want.ts';

const SyncRun = z.object({
  cause: z.enum(SYNC_CAUSES),
  listensFrom: Timestamp,
  tells: z.boolean(),
  isHeld: z.boolean(),
  startedAt: Timestamp,
  finishedAt: Timestamp.nullable(),
  outcome: z.enum(SYNC_OUTCOMES).nullable(),
  perChat: z.int(),
  inAll: z.int(),
  since: Timestamp.nullable(),
  listOffset: z.int().nullable(),
  listPages: z.int().nullable(),
  chats: z.int(),
  chatsLeft: z.int(),
  messages: z.int(),
  imported: z.int(),
  missed: z.int(),
  importedInAll: z.int(),
  isBounded: z.boolean(),
  late: z.int(),
});
/** A run that reads an account's past, with what it has read. */
export type SyncRun = z.output<typeof SyncRun>;

/** Reads the run that goes on, or the last one; undefined before the first. */
export async function readRun(queries: Queries, sessionId: string): Promise<SyncRun | undefined> {
  return row(queries, SyncRun)`
    select cause, listens_from as "listensFrom", tells, is_held as "isHeld", started_at as "startedAt",
      finished_at as "finishedAt", outcome, per_chat as "perChat", in_all as "inAll", since,
      list_offset as "listOffset", list_pages as "listPages", chats,
      (select count(*)::int from history_read where session_id = h.session_id) as "chatsLeft",
      messages::float8 as messages, imported::float8 as imported, missed, imported_in_all::float8 as "importedInAll",
      is_bounded as "isBounded", late
    from history_sync h where h.session_id = ${sessionId} and h.started_at is not null`;
}

/**
 * Begins the run that is wanted, or has the one that goes on read what was asked for besides. Returns the run that goes
 * on; undefined when there is nothing to read.
 */
export async function takeUpRun(tx: Tx, sessionId: string, settings: HistorySettings): Promise<SyncRun | undefined> {
  await run(tx)`
    update history_sync h set cause = h.wanted, wanted = null, outcome = null, finished_at = null, error = null,
      started_at = case when o.is_open then h.started_at else ${tx.now}::timestamptz end,
      chats = case when o.is_open then h.chats else 0 end,
      messages = case when o.is_open then h.messages else 0 end,
      imported = case when o.is_open then h.imported else 0 end,
      missed = case when o.is_open then h.missed else 0 end,
      is_bounded = o.is_open and h.is_bounded, told_at = case when o.is_open then h.told_at end,
      per_chat = coalesce(h.asked_per_chat, ${settings.messagesPerChat}),
      in_all = coalesce(h.asked_in_all, ${settings.messagesPerSession}),
      since = case when coalesce(h.asked_days, ${settings.days}) > 0
        then ${tx.now}::timestamptz - coalesce(h.asked_days, ${settings.days}) * interval '1 day' end,
      list_offset = case when h.wanted_pages = 0 then case when o.is_open then h.list_offset end else 0 end,
      list_pages = h.wanted_pages
    from (select session_id, started_at is not null and finished_at is null as is_open from history_sync
      where session_id = ${sessionId} for no key update) o
    where h.session_id = o.session_id and h.wanted is not null`;
  await run(tx)`
    update history_sync
    set next_at = ${tx.now}::timestamptz + ${PROMISED_AGAIN_AFTER_MS} * interval '1 millisecond'
    where session_id = ${sessionId} and started_at is not null and finished_at is null`;
  const taken = await readRun(tx, sessionId);
  return taken?.finishedAt === null ? taken : undefined;
}

/** Notes what keeps a run from going on; the next page takes it back. */
export async function noteSyncError(tx: Tx, sessionId: string, error: string): Promise<void> {
  await run(tx)`update history_sync set error = ${error} where session_id = ${sessionId} and finished_at is null`;
}

/** Ends a run that has nothing left to read, and says when the next one comes. Asked dashboards are told. */
export async function finishRun(
  tx: Tx,
  session: Session,
  { pages, outcome, everyMs }: { pages: number; outcome: SyncOutcome; everyMs: number },
): Promise<void> {
  // Whoever logs the account out forgets the run under the same lock.
  await run(tx)`select 1 from session where id = ${session.id} for no key update`;
  const finished = await readRun(tx, session.id);
  if (finished === undefined || finished.finishedAt !== null) return;
  const { cause, startedAt } = finished;
  const late = finished.late + (cause === 'late' ? 1 : 0);
  const nextAt = nextSyncAt({ since: session.statusChangedAt, late, everyMs }, tx.now);
  await recordSynced(tx, session.id, { pages, at: startedAt });
  await run(tx)`
    update history_sync set finished_at = ${tx.now}, outcome = ${outcome}, late = ${late}, next_at = ${nextAt},
      error = null, tells = false
    where session_id = ${session.id}`;
  await tellProgress(tx, session);
}
