import { randomUUID } from 'node:crypto';
import { CancelledFailure } from '@temporalio/activity';
import { sql } from 'kysely';
import { createSessionActivities } from '../../../activities/sessions/sessions.ts';
import type { Database } from '../../../db/engine/database.ts';
import { receiveBackendEvents } from '../../../db/network/receive.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { importMessages } from '../../../db/network/history.ts';
import { findSessionById, insertSession } from '../../../db/sessions/session.ts';
import { EngineError } from '../../../domain/error.ts';
import type { MessageChange } from '../../../domain/network/message-change.ts';
import type { NetworkChat, NetworkMessage } from '../../../domain/network/network-event.ts';
import type { Page } from '../../../adapters/backend/calls/history.ts';
import { applyBatch } from '../../../loops/apply-batch.ts';
import { SCOPE } from '../../db/a-database.ts';
import { aNetworkMessage, pageOf } from '../../support/network-message.ts';
import { rowsOf } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

const HOUR_MS = 3_600_000;
export const ANNA = '15550410001@c.us';
export const BEN = '15550410002@c.us';
const backendWebhook = { url: 'http://engine.test/hook', secret: 'hush', events: ['message.any'], since: new Date(0) };
export const AUDIT_EVERY_MS = 24 * HOUR_MS;
export const silence = { isOn: true, afterMs: HOUR_MS };

interface Place {
  limit: number;
  offset: number;
}

/** Makes sessions of this database whose backend shows messages that it does not tell of. */
export function sessionsUnheard(database: Database) {
  const now = () => database.clock.now().getTime();

  /** A session that works since hours, at a backend that shows these messages, and is its own unless one is named. */
  async function aSession(settings = silence, server = `b-${randomUUID()}`) {
    const name = `s-${randomUUID()}`;
    const id = (await database.transaction((tx) => insertSession(tx, SCOPE, { name, backend: server }))) ?? '';
    const since = new Date(now() - 6 * HOUR_MS);
    await rowsOf(
      database,
      sql`update session set status = 'WORKING', synced_at = now(), supervised_at = now(), status_changed_at = ${since}
      where id = ${id}`,
    );
    const shown: NetworkMessage[] = [];
    let isOff = false;
    let broken: { chatId: string; error: Error } | null = null;
    const chatsRead: string[] = [];
    /** Runs before the backend is asked, and before its answer is written. */
    let between = (): Promise<void> => Promise.resolve();
    const there = {
      name,
      sessionId: id,
      status: 'WORKING',
      me: null,
      platform: null,
      restriction: null,
      newChats: null,
    };
    const never = () => Promise.reject(new Error('It is not asked for that.'));
    const unread = new Map<string, number>();
    const hidden = new Set<string>();
    const changes: MessageChange[] = [];
    const listChats = async ({ limit, offset }: Place): Promise<Page<NetworkChat>> => {
      await between();
      if (isOff) throw new EngineError('backend_error', 'It keeps no chats.');
      const ends = [...Map.groupBy(shown, ({ chatId }) => chatId)].map(([chatId, messages]) => ({
        chatId,
        name: null,
        pictureUrl: null,
        unreadCount: unread.get(chatId) ?? null,
        lastMessage: messages.at(-1) ?? null,
        lastAt: messages.at(-1)?.timestamp ?? null,
      }));
      const newestFirst = ends.toSorted((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0));
      const page = newestFirst.slice(offset, offset + limit);
      await between();
      return pageOf(page.filter(({ chatId }) => !hidden.has(chatId)));
    };
    const backend = {
      createSession: never,
      ensureSession: () => Promise.resolve(there),
      getSession: () => Promise.resolve(there),
      startSession: never,
      stopSession: never,
      restartSession: () => Promise.resolve({ ...there, status: 'STARTING' }),
      logoutSession: never,
      deleteSessionKey: never,
      deleteSession: never,
      listChats,
      listMessages: async ({ chatId, limit, offset }: Place & { chatId: string }) => {
        await between();
        chatsRead.push(chatId);
        if (broken?.chatId === chatId) throw broken.error;
        const listed = shown.filter((message) => message.chatId === chatId).toReversed();
        const page = listed.slice(offset, offset + limit);
        const ids = new Set(page.map(({ networkId }) => networkId));
        await between();
        return pageOf(
          page,
          changes.filter(({ networkId }) => ids.has(networkId)),
        );
      },
    };
    const backends = { of: () => backend, knows: () => true, servers: [] };
    const { followSession, carryOut } = createSessionActivities({
      database,
      backends,
      backendWebhook,
      silence: settings,
      auditEveryMs: AUDIT_EVERY_MS,
    });
    return {
      id,
      betweenCalls: (happens: () => Promise<void>) => void (between = happens),
      keepsNoChats: () => void (isOff = true),
      /** Unread messages of a chat in its list. */
      unread,
      /** Chats that the list takes out of their pages, as it does with the second address of a person. */
      hidden,
      /** Changes of messages in its lists. */
      changes,
      /** The chats whose messages the backend was asked for. */
      chatsRead,
      /** A read of this chat ends the attempt, as a kill does; with null no more. */
      breaksAt: (chatId: string | null) => {
        const error = new CancelledFailure('The process was killed.');
        broken = chatId === null ? null : { chatId, error };
      },
      /** A reader scrolls in a chat, so that its history is read. */
      async scrolls(chatId: string): Promise<void> {
        const place = { agencyId: SCOPE.agencyId, tenantId: SCOPE.tenantId, sessionId: id };
        const listed = shown.filter((message) => message.chatId === chatId).toReversed();
        await database.transaction(async (tx) => {
          const session = await findSessionById(tx, id);
          if (session)
            await importMessages(tx, session, await ensureConversation(tx, place, { chatId }), { messages: listed });
        });
      },
      /** A contact writes, which the backend shows and does not tell. */
      shows(chatId: string, body: string, agoMs: number, more: Partial<NetworkMessage> = {}): NetworkMessage {
        const timestamp = Math.floor((now() - agoMs) / 1_000);
        const message = aNetworkMessage({ networkId: `NET${randomUUID()}`, chatId, timestamp, body, ...more });
        shown.push(message);
        return message;
      },
      /** The backend tells of a message; `apply` false leaves that waiting. */
      async tells({ networkId, chatId, timestamp, body }: NetworkMessage, apply = true): Promise<void> {
        const payload = { id: `false_${chatId}_${networkId}`, from: chatId, fromMe: false, timestamp, body };
        const event = JSON.stringify({
          id: `evt_${randomUUID()}`,
          event: 'message.any',
          session: name,
          engine: 'NOWEB',
          payload: { ...payload, hasMedia: false },
        });
        await database.transaction((tx) =>
          receiveBackendEvents(tx, [{ sessionName: name, requestId: null, body: event }]),
        );
        if (apply) await applyBatch(database, [name], 25);
      },
      look: () => inActivity(followSession, { sessionId: id }),
      carryOut: () => inActivity(carryOut, { sessionId: id }),
      row: async () => {
        const found = await database.read((queries) => findSessionById(queries, id));
        if (!found) throw new Error('The session is not there.');
        return found;
      },
      events: () =>
        rowsOf<{ type: string; what: string }>(
          database,
          sql`select type, coalesce(body::jsonb #>> '{payload,body}', body::jsonb #>> '{payload,reason}') as what
          from event where session_id = ${id} and type <> 'session.status' order by place`,
        ),
    };
  }

  return aSession;
}
