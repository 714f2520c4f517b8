import { z } from 'zod';
import { SYNC_CAUSES, SYNC_OUTCOMES } from '../../../domain/sessions/history-sync.ts';
import type { SyncState } from '../../../domain/sessions/history-sync.ts';
import type { SyncView } from '../../../domain/sessions/sync-view.ts';
import { Timestamp } from '../../engine/columns.ts';
import { row } from '../../engine/rows.ts';
import type { Session } from '../../sessions/session.ts';
import type { Queries, Tx } from '../../engine/tx.ts';

const Seen = z.object({
  wanted: z.string().nullable(),
  cause: z.enum(SYNC_CAUSES).nullable(),
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
  outcome: z.enum(SYNC_OUTCOMES).nullable(),
  perChat: z.int().nullable(),
  inAll: z.int().nullable(),
  since: Timestamp.nullable(),
  chats: z.int(),
  chatsLeft: z.int(),
  messages: z.int(),
  imported: z.int(),
  missed: z.int(),
  importedInAll: z.int(),
  isBounded: z.boolean(),
  isHeld: z.boolean(),
  error: z.string().nullable(),
  nextAt: Timestamp.nullable(),
});
type Seen = z.output<typeof Seen>;

const NOTHING: Seen = {
  wanted: null,
  cause: null,
  startedAt: null,
  finishedAt: null,
  outcome: null,
  perChat: null,
  inAll: null,
  since: null,
  chats: 0,
  chatsLeft: 0,
  messages: 0,
  imported: 0,
  missed: 0,
  importedInAll: 0,
  isBounded: false,
  isHeld: false,
  error: null,
  nextAt: null,
};

/** Reads how far an account's past has been read, and the limits that hold from now on, as somebody may have asked. */
export async function readSyncView(queries: Queries, session: Pick<Session, 'id' | 'name'>): Promise<SyncView> {
  const found = await row(queries, Seen)`
    select wanted, cause, started_at as "startedAt", finished_at as "finishedAt", outcome,
      coalesce(asked_per_chat, per_chat) as "perChat", coalesce(asked_in_all, in_all) as "inAll", since, chats,
      (select count(*)::int from history_read where session_id = h.session_id) as "chatsLeft",
      messages::float8 as messages, imported::float8 as imported, missed, imported_in_all::float8 as "importedInAll",
      is_bounded as "isBounded", is_held as "isHeld", error, next_at as "nextAt"
    from history_sync h where h.session_id = ${session.id}`;
  return toView(session, found ?? NOTHING, queries.now);
}

function toView({ id, name }: Pick<Session, 'id' | 'name'>, seen: Seen, now: Date): SyncView {
  const { startedAt, finishedAt, messages, perChat, inAll } = seen;
  const seconds = startedAt === null ? 0 : ((finishedAt ?? now).getTime() - startedAt.getTime()) / 1_000;
  return {
    sessionId: id,
    name,
    state: stateOf(seen),
    cause: seen.cause,
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
    chats: seen.chats,
    chatsLeft: seen.chatsLeft,
    messages,
    imported: seen.imported,
    missed: seen.missed,
    messagesPerSecond: seconds > 0 ? Math.round((messages / seconds) * 10) / 10 : 0,
    importedInAll: seen.importedInAll,
    limits:
      perChat === null || inAll === null
        ? null
        : { messagesPerChat: perChat, messagesPerSession: inAll, since: seen.since?.toISOString() ?? null },
    isBounded: seen.isBounded,
    error: seen.error,
    // A run that somebody waits for begins at once, so the time of the one that was planned before no longer counts.
    nextAt: finishedAt === null || seen.wanted !== null ? null : (seen.nextAt?.toISOString() ?? null),
  };
}

function stateOf({ wanted, startedAt, finishedAt, outcome, error, isHeld }: Seen): SyncState {
  if (wanted !== null) return 'waiting';
  if (startedAt === null) return isHeld ? 'stopped' : 'never';
  if (finishedAt === null) return error === null ? 'running' : 'waiting';
  return outcome === 'stopped' || isHeld ? 'stopped' : 'done';
}

/** Tells dashboards that ask for it how far a run is. */
export async function tellProgress(tx: Tx, session: Session): Promise<void> {
  const view = await readSyncView(tx, session);
  tx.emit({
    event: 'sync.progress',
    agencyId: session.agencyId,
    tenantId: session.tenantId,
    sessionId: session.id,
    conversationId: null,
    payload: { ...view, timestamp: Math.floor(tx.now.getTime() / 1_000) },
  });
}
