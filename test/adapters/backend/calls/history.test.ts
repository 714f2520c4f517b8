import { describe, expect, test } from '@jest/globals';
import { payloads } from '../events/contract-payloads.ts';
import { MessageChange } from '../../../../domain/network/message-change.ts';
import { startStub } from '../stub-backend.ts';

const me = { chatId: '15557199999@c.us', lid: '99887766554433@lid' };
const page = { session: 's', me, limit: 20, offset: 40 };
const chatId = '15557654321@c.us';

describe('what the backend remembers', () => {
  test('chats come with name, unread count and last message', async () => {
    const chats = [
      { id: chatId, name: 'Alice', picture: null, lastMessage: payloads.direct, _chat: { unreadCount: 3 } },
      { id: { _serialized: '120363000000000000@g.us' }, name: null, picture: 'http://p', lastMessage: null, _chat: {} },
      { id: null },
    ];
    await using stub = await startStub(() => ({ json: chats }));
    expect(await stub.backend.listChats(page)).toMatchObject({
      items: [
        { chatId, name: 'Alice', pictureUrl: null, unreadCount: 3, lastMessage: { networkId: '3A0000000000000000A1' } },
        { chatId: '120363000000000000@g.us', pictureUrl: 'http://p', unreadCount: null, lastMessage: null },
      ],
      // Unreadable messages count, too: the page was as full as the backend could make it.
      listed: 3,
    });
    expect(stub.requests[0]).toMatchObject({ path: '/api/s/chats/overview', query: { limit: '20', offset: '40' } });
  });

  test('messages come newest first and never make the backend download media', async () => {
    await using stub = await startStub(() => ({ json: [payloads.own, payloads.direct, { id: 7 }] }));
    const { items, listed } = await stub.backend.listMessages({ ...page, chatId });
    expect(listed).toBe(3);
    expect(items.map(({ networkId }) => networkId)).toEqual(['3EB0785ED5B14F01C04FDE', '3A0000000000000000A1']);
    expect(stub.requests[0]).toMatchObject({
      path: `/api/s/chats/${chatId}/messages`,
      query: { limit: '20', offset: '40', downloadMedia: 'false', sortOrder: 'desc' },
    });
  });

  test.each([me.chatId, me.lid])('what stands in the own chat %s is of no customer', async (own) => {
    const note = { ...payloads.direct, id: `false_${own}_3A0000000000000000A2`, from: own, fromMe: false };
    const inGroup = { ...note, id: `false_120363000000000000@g.us_3A0000000000000000A3_${own}`, participant: own };
    await using stub = await startStub(({ path }) => ({
      json: path.endsWith('/overview') ? [{ id: own, lastMessage: note }] : [note, inGroup, payloads.direct],
    }));
    const { items } = await stub.backend.listMessages({ ...page, chatId: own });
    expect(items.map(({ fromMe }) => fromMe)).toEqual([true, true, false]);
    const { items: chats } = await stub.backend.listChats(page);
    expect(chats).toMatchObject([{ chatId: own, lastMessage: { fromMe: true } }]);
  });

  test('a message without a time has that of the next older one, or else of the next newer one', async () => {
    const said = (id: string, timestamp: number | null) => ({
      ...payloads.direct,
      id: `false_${chatId}_${id}`,
      timestamp,
      _data: null,
    });
    const shown = [said('A', 0), said('B', 1_795_226_900), said('C', null), said('D', 1_795_226_800), said('E', 0)];
    await using stub = await startStub(({ query }) => ({ json: query['limit'] === '1' ? [said('A', 0)] : shown }));
    const { items } = await stub.backend.listMessages({ ...page, chatId });
    expect(items.map(({ timestamp }) => timestamp - 1_795_226_800)).toEqual([100, 100, 0, 0, 0]);
    // Nobody knows the time of a message that stands alone: the writer of messages dates it.
    expect((await stub.backend.listMessages({ ...page, limit: 1, chatId })).items).toMatchObject([{ timestamp: 0 }]);
  });

  test('a chat whose last message is of a time to come does not stay first', async () => {
    const AHEAD_S = 4_000_000_000;
    const lastMessage = { ...payloads.direct, timestamp: AHEAD_S };
    await using stub = await startStub(() => ({ json: [{ id: chatId, lastMessage, _chat: { timestamp: AHEAD_S } }] }));
    const { items } = await stub.backend.listChats(page);
    expect(items).toHaveLength(1);
    expect(items[0]?.lastAt).toBeLessThanOrEqual(Date.now() / 1_000);
    expect(items[0]?.lastAt).toBeGreaterThan(0);
  });

  test('content that no table has is named, also beside words and a file', async () => {
    const said = (_data: object, over: object = {}) => ({ ...payloads.direct, body: 'words', _data, ...over });
    const file = { hasMedia: true, media: { url: null, mimetype: 'image/jpeg', filename: null } };
    const shown = [
      said({ message: { holoMessage: { text: 'words' } } }),
      said({ Info: {}, Message: { holoMessage: {} } }, file),
      said({ type: 'hologram' }),
      said({ message: { messageContextInfo: {}, extendedTextMessage: { text: 'words' } } }),
      said({ type: 'chat' }),
      said({ message: { templateMessage: {} } }),
    ];
    await using stub = await startStub(() => ({ json: shown }));
    const { items } = await stub.backend.listMessages({ ...page, chatId });
    expect(items.map(({ unknownContent = null }) => unknownContent)).toEqual([
      'holoMessage',
      'holoMessage',
      'hologram',
      null,
      null,
      null,
    ]);
  });

  test('what lists of each engine show was done to messages comes with the page', async () => {
    const direct = (id: string, _data: object) => ({
      ...payloads.direct,
      id: `false_${chatId}_${id}`,
      body: 'now',
      _data,
    });
    const reaction = { text: '👍', senderTimestampMs: '1795226800700' };
    const shown = [
      direct('NOWEB1', { message: { editedMessage: { message: { conversation: 'now' } } } }),
      direct('WEBJS1', {
        type: 'chat',
        latestEditMsgKey: { id: 'EDIT1' },
        latestEditSenderTimestampMs: 1_795_226_900_123,
      }),
      { ...direct('NOWEB2', { message: null, messageStubType: 'REVOKE' }), body: null },
      { ...direct('WEBJS2', { type: 'revoked' }), body: '' },
      direct('NOWEB3', {
        message: { conversation: 'now' },
        reactions: [
          { key: { remoteJid: '15557654321@s.whatsapp.net', fromMe: false, id: 'RE1' }, ...reaction },
          { key: { remoteJid: '15557654321@s.whatsapp.net', fromMe: true, id: 'RE2' }, ...reaction, text: '' },
          { key: null, text: '👍' },
          'nothing that can be read',
        ],
      }),
      direct('PLAIN', { message: { conversation: 'now' } }),
    ];
    await using stub = await startStub(() => ({ json: shown }));
    const { items, changes } = await stub.backend.listMessages({ ...page, chatId });
    expect(items).toHaveLength(6);
    // A message that was taken back shows nothing of what it was.
    expect(items[3]).toMatchObject({ networkId: 'WEBJS2', kind: 'text', body: '', hasMedia: false });
    expect(changes).toMatchObject([
      { kind: 'edited', networkId: 'NOWEB1', body: 'now', at: payloads.direct.timestamp * 1_000 },
      { kind: 'edited', networkId: 'WEBJS1', body: 'now', at: 1_795_226_900_123, editId: 'EDIT1' },
      { kind: 'revoked', networkId: 'NOWEB2', by: { fromMe: false, chatId } },
      { kind: 'revoked', networkId: 'WEBJS2' },
      { kind: 'reaction', networkId: 'NOWEB3', emoji: '👍', at: 1_795_226_800_000, toldAt: 1_795_226_800_700 },
      { kind: 'reaction', networkId: 'NOWEB3', emoji: '', by: { fromMe: true } },
    ]);
    // Parked changes are stored as JSON and read back.
    for (const change of changes) expect(MessageChange.parse(JSON.parse(JSON.stringify(change)))).toEqual(change);
  });

  test.each([-8e15, 8e15])(
    'a list with the time %d is no less readable, and its times can be written',
    async (time) => {
      const reactions = [{ key: { id: 'RE1', fromMe: false }, text: '👍', senderTimestampMs: time }];
      const _data = { message: { conversation: 'x' }, latestEditSenderTimestampMs: time, reactions };
      await using stub = await startStub(() => ({ json: [{ ...payloads.direct, timestamp: time, _data }] }));
      const { items, changes } = await stub.backend.listMessages({ ...page, chatId });
      const times = [
        ...items.map(({ timestamp }) => timestamp * 1_000),
        ...changes.flatMap(({ at, toldAt }) => [at, toldAt]),
      ];
      expect(times).toHaveLength(5);
      for (const each of times) {
        expect(new Date(each).toISOString()).toMatch(/^\d{4}-/);
        expect(each).toBeGreaterThanOrEqual(0);
      }
      // The writer of messages clamps their times to the database's clock.
      for (const { at, toldAt } of changes) expect(Math.max(at, toldAt)).toBeLessThanOrEqual(Date.now());
    },
  );

  test('own messages since a time are filtered here too, in case the engine does not know the filter', async () => {
    const old = { ...payloads.own, id: `true_${chatId}_3EB0OLD`, timestamp: 100 };
    await using stub = await startStub(() => ({ json: [payloads.own, payloads.direct, old] }));
    const own = await stub.backend.listOwnMessages({ session: 's', chatId, sinceUnix: 1795226600.7, limit: 20 });
    expect(own.map(({ networkId }) => networkId)).toEqual(['3EB0785ED5B14F01C04FDE']);
    expect(stub.requests[0]?.query).toMatchObject({
      'filter.fromMe': 'true',
      'filter.timestamp.gte': '1795226600',
      downloadMedia: 'false',
    });
  });

  test('one own message that cannot be read fails the whole, because it could be the one looked for', async () => {
    await using stub = await startStub(() => ({ json: [payloads.own, { id: 7 }] }));
    const reading = stub.backend.listOwnMessages({ session: 's', chatId, sinceUnix: 0, limit: 20 });
    await expect(reading).rejects.toMatchObject({ code: 'backend_error' });
  });
});

describe('findOwnMessage', () => {
  const wanted = { session: 's', chatId, networkId: '3EB0785ED5B14F01C04FDE' };

  function backendOf(engine: string, answer: { status?: number; json?: unknown }) {
    return startStub(({ path }) =>
      path === '/api/server/version' ? { json: { version: '2026.7.1', engine } } : answer,
    );
  }

  test('asks by the bare id in all chats where the engine can', async () => {
    await using stub = await backendOf('NOWEB', { json: payloads.own });
    expect(await stub.backend.findOwnMessage(wanted)).toMatchObject({ networkId: wanted.networkId, ack: 0 });
    const path = `/api/s/chats/all/messages/${wanted.networkId}`;
    expect(stub.requests.at(-1)).toMatchObject({ path, query: { downloadMedia: 'false' } });
  });

  test('asks by the whole id elsewhere', async () => {
    await using stub = await backendOf('WEBJS', { json: payloads.own });
    expect(await stub.backend.findOwnMessage(wanted)).not.toBeNull();
    expect(stub.requests.at(-1)?.path).toBe(`/api/s/chats/${chatId}/messages/true_${chatId}_${wanted.networkId}`);
  });

  test("asks as the session's own engine takes it, where the server has several", async () => {
    await using stub = await backendOf('NOWEB', { json: payloads.own });
    expect(await stub.backend.findOwnMessage({ ...wanted, platform: 'WEBJS' })).not.toBeNull();
    expect(stub.requests.at(-1)?.path).toBe(`/api/s/chats/${chatId}/messages/true_${chatId}_${wanted.networkId}`);
  });

  test('a message that the backend does not know is null', async () => {
    const json = { message: 'Message not found', error: 'Not Found', statusCode: 404 };
    await using stub = await backendOf('NOWEB', { status: 404, json });
    expect(await stub.backend.findOwnMessage(wanted)).toBeNull();
    await using empty = await backendOf('NOWEB', {});
    expect(await empty.backend.findOwnMessage(wanted)).toBeNull();
  });

  test('any other 404 is an error: it must not be taken for "not sent"', async () => {
    const json = { message: "We didn't find a session with name 's'.\nPlease start it first by using POST …" };
    await using down = await backendOf('NOWEB', { status: 404, json });
    await expect(down.backend.findOwnMessage(wanted)).rejects.toMatchObject({ code: 'session_not_ready' });
    await using old = await backendOf('NOWEB', { status: 404, json: { message: 'Cannot GET /api/s/chats' } });
    await expect(old.backend.findOwnMessage(wanted)).rejects.toMatchObject({ code: 'backend_error' });
  });

  test('an answer about another message is an error too', async () => {
    await using stub = await backendOf('NOWEB', { json: payloads.direct });
    await expect(stub.backend.findOwnMessage(wanted)).rejects.toMatchObject({ code: 'backend_error' });
  });
});
