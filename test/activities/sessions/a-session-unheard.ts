import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createSessionActivities } from '../../../activities/sessions/sessions.ts';
import type { Database } from '../../../db/database.ts';
import { receiveBackendEvents } from '../../../db/network/receive.ts';
import { findSessionById, insertSession } from '../../../db/sessions/session.ts';
import { EngineError } from '../../../domain/error.ts';
import type { NetworkChat, NetworkMessage } from '../../../domain/network/network-event.ts';
import { applyBatch } from '../../../loops/apply-batch.ts';
import { SCOPE } from '../../db/a-database.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { rowsOf } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

const HOUR_MS = 3_600_000;
export const ANNA = '15550410001@c.us';
export const BEN = '15550410002@c.us';
const backendWebhook = { url: 'http://engine.test/hook', secret: 'hush', events: ['message.any'], since: new Date(0) };
export const silence = { isOn: true, afterMs: HOUR_MS };

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
    const there = { name, sessionId: id, status: 'WORKING', me: null, platform: null, restriction: null };
    const never = () => Promise.reject(new Error('It is not asked for that.'));
    const listChats = async (): Promise<NetworkChat[]> => {
      if (isOff) throw new EngineError('backend_error', 'It keeps no chats.');
      const ends = [...Map.groupBy(shown, ({ chatId }) => chatId)].map(([chatId, messages]) => ({
        chatId,
        name: null,
        pictureUrl: null,
        unreadCount: null,
        lastMessage: messages.at(-1) ?? null,
      }));
      return ends.toSorted((a, b) => (b.lastMessage?.timestamp ?? 0) - (a.lastMessage?.timestamp ?? 0));
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
      listMessages: async ({ chatId }: { chatId: string }) =>
        shown.filter((message) => message.chatId === chatId).toReversed(),
    };
    const backends = { of: () => backend, knows: () => true, servers: [] };
    const { followSession, carryOut } = createSessionActivities({
      database,
      backends,
      backendWebhook,
      silence: settings,
    });
    return {
      id,
      keepsNoChats: () => void (isOff = true),
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
