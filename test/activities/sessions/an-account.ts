import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createHistoryRuns } from '../../../activities/sessions/history-run.ts';
import type { HistoryProgress } from '../../../activities/sessions/history-run.ts';
import type { SessionCalls } from '../../../adapters/backend/backends.ts';
import type { Database } from '../../../db/engine/database.ts';
import { readSyncView } from '../../../db/network/sync/progress.ts';
import { wantSync } from '../../../db/network/sync/want.ts';
import { askSync } from '../../../db/operations/ask-sync.ts';
import type { AskedSync } from '../../../db/operations/ask-sync.ts';
import { findSessionById, insertSession } from '../../../db/sessions/session.ts';
import { EngineError } from '../../../domain/error.ts';
import type { MessageChange } from '../../../domain/network/message-change.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import type { SyncCause } from '../../../domain/sessions/history-sync.ts';
import { EQUAL_SHARES } from '../../../domain/shares.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import { SCOPE } from '../../db/a-database.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { countOf, rowsOf } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

const LIMITS = { messagesPerChat: 10_000, messagesPerSession: 100_000, days: 0, everyMs: 86_400_000 };
export const PERSON = '15550430001@c.us';
export const OTHER = '15550430002@c.us';
export const DAY_S = 86_400;
/** All that is said in a file is said before this moment. */
export const NOW_S = Math.floor(Date.now() / 1_000);

/** A session of its own, whose backend shows these chats; `asked` says what it was asked for. */
export async function anAccount(database: Database, limits: Partial<typeof LIMITS> = {}) {
  const name = `s-${randomUUID()}`;
  const sessionId = (await database.transaction((tx) => insertSession(tx, SCOPE, { name }))) ?? '';
  await rowsOf(
    database,
    sql`update session set status = 'WORKING', status_changed_at = now() - interval '6 hours', chat_id = '1@c.us'
      where id = ${sessionId}`,
  );
  /** The backend's messages, the newest first; null is unreadable. */
  const chats = new Map<string, (NetworkMessage | null)[]>();
  const asked: string[] = [];
  const unread = new Map<string, number>();
  const names = new Map<string, string>();
  const unreadable = new Set<string>();
  const changes: MessageChange[] = [];
  let failsAt: string | null = null;
  /** Runs before the backend is asked, and before its answer is written. */
  let between = (): Promise<void> => Promise.resolve();
  const stopping = new AbortController();
  const backend: Pick<SessionCalls, 'listChats' | 'listMessages' | 'listLabels' | 'listChatsOfLabel'> = {
    listChats: async ({ limit, offset }) => {
      await between();
      asked.push(`list ${offset}`);
      const all = [...chats].map(([chatId, messages]) => ({
        chatId,
        name: names.get(chatId) ?? null,
        pictureUrl: null,
        unreadCount: unread.get(chatId) ?? null,
        lastMessage: messages.find((message) => message !== null) ?? null,
        lastAt: messages.find((message) => message !== null)?.timestamp ?? null,
      }));
      const items = all.slice(offset, offset + limit);
      await between();
      return { items, listed: items.length };
    },
    listMessages: async ({ chatId, limit, offset }) => {
      await between();
      const call = `${chatId} ${offset}`;
      if (call === failsAt) {
        failsAt = null;
        throw new EngineError('backend_unavailable', 'It is away.');
      }
      if (unreadable.has(chatId)) throw new EngineError('backend_error', 'It cannot read this chat.');
      asked.push(call);
      const listed = (chats.get(chatId) ?? []).slice(offset, offset + limit);
      const items = listed.filter((message) => message !== null);
      const ids = new Set(items.map(({ networkId }) => networkId));
      await between();
      return { items, listed: listed.length, changes: changes.filter(({ networkId }) => ids.has(networkId)) };
    },
    listLabels: async () => [],
    listChatsOfLabel: async () => [],
  };
  const { importHistory } = createHistoryRuns({
    database,
    backends: everywhere(backend),
    history: { ...LIMITS, ...limits },
    shares: EQUAL_SHARES,
    stopping: stopping.signal,
  });
  const session = async () => {
    const found = await database.read((queries) => findSessionById(queries, sessionId));
    if (!found) throw new Error('The session is not there.');
    return found;
  };
  return {
    sessionId,
    session,
    chats,
    /** Unread messages of a chat in the list. */
    unread,
    /** The names under which the list shows groups. */
    names,
    /** Changes of messages in lists. */
    changes,
    /** Chats that the backend cannot read. */
    unreadable,
    asked,
    stopping,
    betweenCalls: (happens: () => Promise<void>) => void (between = happens),
    failOnceAt: (call: string) => void (failsAt = call),
    slice: (attempt = 1) => inActivity(importHistory, { sessionId }, { attempt }),
    async run(cause: SyncCause): Promise<HistoryProgress> {
      await database.transaction((tx) =>
        wantSync(tx, sessionId, { cause, pages: cause === 'connected' || cause === 'reader' ? 1 : null }),
      );
      return inActivity(importHistory, { sessionId });
    },
    ask: async (what: AskedSync) => {
      const found = await session();
      return database.transaction((tx) => askSync(tx, found, { asked: what, by: { keyId: 'key', actor: 'Ann' } }));
    },
    view: async () => {
      const found = await session();
      return database.read((queries) => readSyncView(queries, found));
    },
    hear: async (message: NetworkMessage) => {
      const found = await session();
      await database.transaction((tx) =>
        applyNetworkEvent(tx, found, { kind: 'message', key: message.networkId, message }),
      );
    },
    rows: () => countOf(database, sql`message where session_id = ${sessionId}`),
    events: () => countOf(database, sql`event where session_id = ${sessionId} and type = 'message'`),
    /** Compares the rows of each chat with a recount of its messages. */
    async faults() {
      return rowsOf(
        database,
        sql<object>`select c.id from conversation c where c.session_id = ${sessionId} and (
          c.last_message_id is distinct from (select m.id from message m where m.conversation_id = c.id
            order by m.occurred_at desc, m.id desc limit 1)
          or c.last_inbound_at is distinct from (select max(m.occurred_at) from message m
            where m.conversation_id = c.id and m.direction = 'in')
          or c.unread_count <> (select count(*) from message m where m.conversation_id = c.id and m.direction = 'in'
            and m.origin = 'network' and m.occurred_at > coalesce((select max(o.occurred_at) from message o
              where o.conversation_id = c.id and o.direction = 'out'), '-infinity')))`,
      );
    },
  };
}

/** Returns the messages of a chat, the newest first; every seventh is the owner's. */
export function talk(chatId: string, count: number, from = NOW_S - DAY_S): NetworkMessage[] {
  return Array.from({ length: count }, (_, n) =>
    aNetworkMessage({
      networkId: `${chatId}-${count - n}-${from}`,
      chatId,
      fromMe: n % 7 === 3,
      ack: n % 7 === 3 ? 3 : null,
      body: `message ${count - n}`,
      timestamp: from - n * 60,
    }),
  );
}
