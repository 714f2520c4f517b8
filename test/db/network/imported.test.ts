import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { toMessageView } from '../../../api/conversations/message-view.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { adoptOwnMessages } from '../../../db/network/adopt-own-messages.ts';
import { importMessages } from '../../../db/network/history.ts';
import { NO_CHANGES } from '../../../db/network/changes/shown.ts';
import { isAnyMissed } from '../../../db/network/missed.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { applyNetworkEvent } from './apply-event.ts';
import { findMessageById } from '../../../db/conversations/message.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { rowsOf } from '../../support/rows.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';
import { aConversationWithAiMessages, SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anEdit, aRevoke } from './message-change.ts';
import { aSentMessage } from '../sending/a-sent-message.ts';
import { aNetworkMessage } from '../../support/network-message.ts';

const PERSON = '15550410001@c.us';
const LINKS = { urlOf: () => 'http://engine.test/file', isGenuine: () => true };

const { database, session } = await databaseOfThisFile();

describe('what is found in the history of an account', () => {
  async function found(networkId: string, over: Partial<NetworkMessage>) {
    const message = aNetworkMessage({
      networkId,
      chatId: PERSON,
      fromMe: true,
      timestamp: Math.floor(database.clock.now().getTime() / 1_000) - 3_600,
      ...over,
    });
    await database.transaction(async (tx) => {
      const chat = await ensureConversation(tx, { ...SCOPE, sessionId: session.id }, { chatId: PERSON });
      await importMessages(tx, session, chat, { messages: [message] });
    });
    return read(networkId);
  }

  async function chatOf(conversationId: string): Promise<string> {
    const chats = sql<{ chatId: string }>`select chat_id as "chatId" from conversation where id = ${conversationId}`;
    return (await rowsOf(database, chats))[0]?.chatId ?? '';
  }

  async function read(networkId: string) {
    const [row] = await rowsOf(database, sql<{ id: string }>`select id from message where network_id = ${networkId}`);
    const message = await database.read((queries) => findMessageById(queries, row?.id ?? ''));
    if (!message) throw new Error('It was not found.');
    return toMessageView(
      message,
      { ends: { own: '1', other: '2', phones: new Map() }, quoted: new Map(), changes: new Map() },
      LINKS,
    );
  }

  const ack = (networkId: string, level: AckLevel) =>
    database.transaction((tx) =>
      applyNetworkEvent(tx, session, {
        kind: 'ack',
        key: `${networkId}/${level}`,
        networkId,
        chatId: PERSON,
        level,
        error: null,
      }),
    );
  const toldOf = (messageId: string) =>
    rowsOf(
      database,
      sql<{ status: string }>`select body::jsonb->'payload'->>'status' as status from event
        where type = 'message.ack' and body::jsonb->'payload'->>'messageId' = ${messageId} order by sequence`,
    );
  const promised = (messageId: string) =>
    rowsOf(database, sql<object>`select 1 from dispatch where workflow_id = ${`message/${messageId}`}`);

  describe('an own message', () => {
    it('that the network refused has failed, and says why', async () => {
      expect(await found('REFUSED', { ack: -1 })).toMatchObject({
        status: 'failed',
        ack: -1,
        ackName: 'ERROR',
        error: { code: 'network_error', message: expect.any(String) },
      });
    });

    it('that only waits on the phone is handed over and confirmed by nobody', async () => {
      expect(await found('PENDING', { ack: 0 })).toMatchObject({ status: 'sent', ack: 0, ackName: 'PENDING' });
    });

    it.each([
      [null, 'sent', 1],
      [1, 'sent', 1],
      [2, 'delivered', 2],
      [3, 'read', 3],
      [4, 'played', 4],
    ] as const)('of the level %s is %s', async (level, status, shown) => {
      const view = await found(`LEVEL${level}`, { ack: level });
      expect(view).toMatchObject({ status, ack: shown });
      expect(view).not.toHaveProperty('error');
    });

    it('goes on by its acks, which nobody is told of: no event has ever named it', async () => {
      const { messageId } = await found('ACKED', { ack: 0 });
      for (const level of [1, 2, 3] as const) await ack('ACKED', level);
      expect(await read('ACKED')).toMatchObject({ status: 'read', ack: 3 });
      await ack('ACKED', -1);
      expect(await toldOf(messageId)).toEqual([]);
      // Nor does any workflow wait for them.
      expect(await promised(messageId)).toEqual([]);
    });

    it('that a send of the engine was is told all the same, as is what was written on the phone not', async () => {
      const sent = await aSentMessage(database, session.id, { chatId: PERSON, networkId: 'OURS' });
      const phone = await aSentMessage(database, session.id, { chatId: PERSON, networkId: 'PHONE', origin: 'phone' });
      await ack('OURS', 2);
      await ack('PHONE', 2);
      expect(await toldOf(sent.messageId)).toEqual([{ status: 'delivered' }]);
      expect(await promised(sent.messageId)).toHaveLength(1);
      expect(await toldOf(phone.messageId)).toEqual([]);
      expect(await promised(phone.messageId)).toEqual([]);
      expect(await read('PHONE')).toMatchObject({ status: 'delivered', ack: 2 });
    });
  });

  it('and was written on the phone takes over when its event comes late', async () => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    const chatId = await chatOf(conversationId);
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
    const message = aNetworkMessage({ networkId: 'TYPED', chatId, timestamp, fromMe: true });
    await database.transaction((tx) =>
      importMessages(tx, session, { id: conversationId, chatId, contactId: null }, { messages: [message] }),
    );
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: 'TYPED', message }));
    const claiming = { token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null };
    const claim = () => database.transaction((tx) => claimMessage(tx, messageIds[0], claiming));
    expect(await claim()).toMatchObject({ claim: 'soon' });

    await rowsOf(database, sql<object>`update parked_own_message set parked_at = parked_at - interval '11 seconds'`);
    await adoptOwnMessages(database, nobodyKnows, { conversationId });
    const [chat] = await rowsOf(
      database,
      sql<object>`
      select c.mode, c.taken_over_by as "by", m.origin from conversation c join message m on m.conversation_id = c.id
      where c.id = ${conversationId} and m.network_id = 'TYPED'`,
    );
    expect(chat).toEqual({ mode: 'human_takeover', by: 'phone', origin: 'phone' });
    expect(await claim()).toMatchObject({ claim: 'ended' });
  });

  it('and was taken back before its event came late shows its words to nobody', async () => {
    const said = { fromMe: false, body: 'words of before' };
    await found('TAKEN', said);
    await database.transaction((tx) => applyNetworkEvent(tx, session, aRevoke('TAKEN')));
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - 3_600;
    const message = aNetworkMessage({ networkId: 'TAKEN', chatId: PERSON, timestamp, ...said });
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: 'TAKEN', message }));
    const told = sql`select body from event where type = 'message' and session_id = ${session.id}
      and body::jsonb #>> '{payload,chatId}' = ${PERSON}`;
    expect(JSON.stringify(await rowsOf(database, told))).not.toContain('words of before');
    const lines = sql`select last_message_body as line from conversation where chat_id = ${PERSON}`;
    expect(JSON.stringify(await rowsOf(database, lines))).not.toContain('words of before');
  });

  it('and is read again is no news, however alike an open send is', async () => {
    const { conversationId } = await aConversationWithAiMessages(database, session.id);
    const chatId = await chatOf(conversationId);
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - 1_800;
    const photo = { chatId, fromMe: true, kind: 'image', body: '', hasMedia: true, timestamp } as const;
    const message = aNetworkMessage({ networkId: 'OLD-PHOTO', ...photo });
    const readPast = () =>
      database.transaction((tx) =>
        importMessages(tx, session, { id: conversationId, chatId, contactId: null }, { messages: [message] }),
      );
    expect(await readPast()).toMatchObject({ parked: 0 });
    const { messageId } = await aSentMessage(database, session.id, { chatId, networkId: 'IN-DOUBT' });
    await rowsOf(
      database,
      sql<object>`update message set kind = 'image', body = '', status = 'uncertain', network_id = null, sent_at = null,
        chosen_network_id = null, claimed_at = now() - interval '20 seconds', ended_at = now() where id = ${messageId}`,
    );
    await readPast();
    const parked = sql<object>`select 1 from parked_own_message where network_id = 'OLD-PHOTO'`;
    expect(await rowsOf(database, parked)).toEqual([]);
    const shown = sql<{ origin: string }>`select origin from message where network_id = 'OLD-PHOTO'`;
    expect(await rowsOf(database, shown)).toEqual([{ origin: 'history' }]);
  });

  it.each([
    [true, 'phone'],
    [false, 'network'],
  ] as const)('and has its file keeps it when its event comes late (fromMe: %s)', async (fromMe, origin) => {
    const { conversationId } = await aConversationWithAiMessages(database, session.id);
    const chatId = await chatOf(conversationId);
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
    const media = { url: 'http://backend/a.jpg', mimeType: 'image/jpeg', fileName: null, error: null };
    const networkId = `KEPT-${fromMe}`;
    const about = { networkId, chatId, timestamp, fromMe, body: '', hasMedia: true, media };
    const message = aNetworkMessage({ ...about, kind: 'image' });
    await database.transaction((tx) =>
      importMessages(tx, session, { id: conversationId, chatId, contactId: null }, { messages: [message] }),
    );
    const stored = { key: `acme/${networkId}`, sizeBytes: 3, sha256: 'aa' };
    await rowsOf(
      database,
      sql<object>`update message set media = media || ${JSON.stringify({ stored })}::jsonb where network_id = ${networkId}`,
    );
    await late(conversationId, message);
    const seen = sql<{ origin: string; stored: unknown; fetches: number }>`
      select m.origin, m.media->'stored' as stored,
        (select count(*)::int from media_fetch f where f.message_id = m.id) as fetches
      from message m where m.network_id = ${networkId}`;
    expect(await rowsOf(database, seen)).toEqual([{ origin, stored, fetches: 0 }]);
  });

  it.each([true, false])('and was changed since is shown as it is now (fromMe: %s)', async (fromMe) => {
    const { conversationId } = await aConversationWithAiMessages(database, session.id);
    const chatId = await chatOf(conversationId);
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
    const by = { fromMe, chatId, participant: null, aliases: [] };
    const line = () =>
      rowsOf(
        database,
        sql<object>`select c.last_message_body as line, m.network_id as of from conversation c
          left join message m on m.id = c.last_message_id where c.id = ${conversationId}`,
      );
    for (const [networkId, change, shown] of [
      [`MENDED-${fromMe}`, anEdit(`MENDED-${fromMe}`, 'words of now', { by }), 'words of now'],
      [`TAKEN-${fromMe}`, aRevoke(`TAKEN-${fromMe}`, { by }), ''],
    ] as const) {
      const message = aNetworkMessage({ networkId, chatId, timestamp, fromMe, body: 'words of before' });
      await database.transaction((tx) =>
        importMessages(tx, session, { id: conversationId, chatId, contactId: null }, { messages: [message] }),
      );
      await database.transaction((tx) => applyNetworkEvent(tx, session, change));
      await late(conversationId, message);
      expect(await line()).toEqual([{ line: shown, of: networkId }]);
    }
  });

  it('and is a notice that our account has caused stands there once', async () => {
    const chatId = '15550410009@c.us';
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - 600;
    const content = { notice: { type: 'message_pinned' } } as const;
    const said = { chatId, timestamp, fromMe: true, kind: 'notice', body: '', content } as const;
    const message = aNetworkMessage({ networkId: 'PINNED', ...said });
    await database.transaction(async (tx) => {
      const chat = await ensureConversation(tx, { ...SCOPE, sessionId: session.id }, { chatId });
      await importMessages(tx, session, chat, { messages: [message] });
    });
    const toldSince = new Date(database.clock.now().getTime() - 3_600_000);
    const compared = { shown: [message], toldSince, changes: NO_CHANGES };
    expect(await database.read((queries) => isAnyMissed(queries, session, compared))).toBe(false);
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: 'PINNED', message }));
    const there = sql<object>`select direction from message where network_id = 'PINNED'`;
    expect(await rowsOf(database, there)).toEqual([{ direction: 'in' }]);
  });

  /** Its event, and whatever that must wait for. */
  async function late(conversationId: string, message: NetworkMessage): Promise<void> {
    const key = message.networkId;
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key, message }));
    await rowsOf(database, sql<object>`update parked_own_message set parked_at = parked_at - interval '11 seconds'`);
    await adoptOwnMessages(database, nobodyKnows, { conversationId });
  }

  it.each(['image', 'video', 'audio', 'document', 'sticker'] as const)(
    'says that a message of the kind %s has a file, also where the file was not fetched',
    async (kind) => {
      const view = await found(`FILE-${kind}`, { kind, fromMe: false, body: '', hasMedia: true });
      expect(view).toMatchObject({ hasMedia: true, kind });
    },
  );

  it.each(['text', 'location', 'contact'] as const)('says that a message of the kind %s has none', async (kind) => {
    expect(await found(`NOFILE-${kind}`, { kind, fromMe: false })).toMatchObject({
      hasMedia: false,
      kind,
      media: null,
    });
  });

  it('says so of a kind that is not known, too, as the network does', async () => {
    expect(await found('FILE-other', { kind: 'other', fromMe: false, hasMedia: true })).toMatchObject({
      hasMedia: true,
    });
    expect(await found('NOFILE-other', { kind: 'other', fromMe: false })).toMatchObject({ hasMedia: false });
  });
});
