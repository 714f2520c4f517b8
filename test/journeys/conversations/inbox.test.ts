import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { among, changeRows, countRows, earlier, like, not, toldPayloads, untilCount } from '../../support/rows.ts';
import { ownerWrites, personWrites, sendsOf, textsSeenBy } from '../../support/sandbox-record.ts';
import { passportOf, send, statusesOf, untilStatus } from '../../support/sends.ts';

const Chats = z.object({
  chats: z.array(
    z.object({
      name: z.string(),
      picture: z.string().nullable(),
      lastMessage: z.object({ body: z.string(), timestamp: z.int(), fromMe: z.boolean() }).nullable(),
      unreadCount: z.int(),
      conversationId: z.string(),
      chatId: z.string(),
    }),
  ),
  total: z.int(),
  hasMore: z.boolean(),
});
const Messages = z.object({
  messages: z.array(
    z.object({
      fromMe: z.boolean(),
      to: z.string(),
      from: z.string(),
      body: z.string(),
      timestamp: z.int(),
      ack: z.int(),
      ackName: z.string(),
      hasMedia: z.boolean(),
      messageId: z.string(),
      origin: z.string(),
      status: z.string(),
    }),
  ),
  hasMore: z.boolean(),
});

describe('the inbox', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    // The number that answers late does so after forty times this: time enough to read its chat meanwhile.
    engine = await startEngine({ sandbox: { ackDelayMs: 60 } });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'inbox' });
    await untilCount(engine.database, 'session', { syncedAt: not(null) });
  });
  afterAll(() => engine.close());
  afterEach(() => engine.control('DELETE', '/faults'));

  const get = async (path: string) => {
    const answer = await call(engine, 'GET', path, { key: agency.scopedKey });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const chats = async (query = 'limit=100') => Chats.parse(await get(`/api/v1/inbox/chats?${query}`));
  const messages = async (conversationId: string, query = 'limit=100') =>
    Messages.parse(await get(`/api/v1/inbox/conversations/${conversationId}/messages?${query}`));
  const chatOf = async (chatId: string) => (await chats()).chats.find((chat) => chat.chatId === chatId);
  const say = (from: string, text: string) => personWrites(engine, agency.session.name, { from, text });

  it('a dashboard sees the chats that the account had before, newest first, page by page', async () => {
    const all = await chats();
    expect(all.total).toBe(12);
    expect(all.hasMore).toBe(false);
    expect(all.chats).toHaveLength(12);
    const times = all.chats.map(({ lastMessage }) => lastMessage?.timestamp ?? 0);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(all.chats.every(({ name }) => name !== '')).toBe(true);
    const pages = [await chats('limit=5'), await chats('limit=5&offset=5'), await chats('limit=5&offset=10')];
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
    expect(pages.flatMap((page) => page.chats.map(({ chatId }) => chatId))).toEqual(
      all.chats.map(({ chatId }) => chatId),
    );
    expect((await chats('')).chats.length).toBeLessThanOrEqual(20);
  });

  it('a dashboard sees what was said before, newest first, page by page, and nothing twice', async () => {
    const [chat] = (await chats()).chats;
    const all = await messages(chat?.conversationId ?? '');
    expect(all.messages.length).toBeGreaterThan(3);
    expect(all.messages[0]).toMatchObject({ body: chat?.lastMessage?.body, timestamp: chat?.lastMessage?.timestamp });
    const times = all.messages.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    for (const message of all.messages.filter(({ fromMe }) => fromMe)) {
      expect(message).toMatchObject({ ack: 3, ackName: 'READ', hasMedia: false, origin: 'history' });
    }
    const first = await messages(chat?.conversationId ?? '', 'limit=2');
    const second = await messages(chat?.conversationId ?? '', 'limit=2&offset=2');
    expect(first.hasMore).toBe(true);
    expect([...first.messages, ...second.messages]).toEqual(all.messages.slice(0, 4));
    await untilCount(engine.database, 'event', { type: 'message' }, 0);
  });

  it('a live message raises the unread count, moves its chat to the top and stands in its place', async () => {
    const person = '15550100601';
    await say(person, 'first');
    await eventually(async () => (await chatOf(`${person}@c.us`))?.unreadCount === 1);
    await say(person, 'second');
    const chat = await eventually(async () => {
      const now = await chatOf(`${person}@c.us`);
      return now?.unreadCount === 2 && now;
    });
    expect((await chats()).chats[0]?.chatId).toBe(`${person}@c.us`);
    expect(chat).toMatchObject({ lastMessage: { body: 'second', fromMe: false } });
    const reply = await send(engine, agency, person, 'third');
    await untilStatus(engine, agency, reply.messageId, 'read');
    await say(person, 'fourth');
    const heard = await eventually(async () => {
      const { messages: now } = await messages(chat.conversationId);
      return now.length === 4 && now;
    });
    expect(heard.map(({ body }) => body)).toEqual(['fourth', 'third', 'second', 'first']);
    const own = z.object({ phone: z.string() }).parse(await get('/api/v1/sessions/status')).phone;
    expect(heard[1]).toMatchObject({ fromMe: true, to: person, from: own, origin: 'api' });
    expect(heard[0]).toMatchObject({ fromMe: false, to: own, from: person, origin: 'network' });
    expect(await chatOf(`${person}@c.us`)).toMatchObject({ lastMessage: { body: 'fourth', fromMe: false } });
  });

  it('a person who writes ten messages in a moment is read in the order in which the network told them', async () => {
    const person = '15550100602';
    const texts = Array.from({ length: 10 }, (_, index) => `${index}`);
    const stamp = Math.floor(Date.now() / 1_000);
    for (const text of texts) {
      await personWrites(engine, agency.session.name, { from: person, text, timestamp: stamp });
      await untilCount(engine.database, 'message', {
        conversationId: among('conversation', { chatId: `${person}@c.us` }),
        body: text,
      });
    }
    const chat = await chatOf(`${person}@c.us`);
    const heard = await messages(chat?.conversationId ?? '');
    expect(heard.messages.map(({ body }) => body)).toEqual(texts.toReversed());
  });

  it('repeated and reordered reports of the network change nothing twice', async () => {
    const person = '15550100603';
    const { name } = agency.session;
    await engine.control('POST', '/faults', { webhook: 'duplicate', session: name });
    await engine.control('POST', '/faults', { webhook: 'reorder', delayMs: 150, session: name });
    const sent = await send(engine, agency, person, 'out');
    const said = ['a', 'b', 'c', 'd', 'e'];
    for (const text of said) await say(person, text);
    const passport = await untilStatus(engine, agency, sent.messageId, 'read');
    const chat = await eventually(async () => {
      const now = await chatOf(`${person}@c.us`);
      return now?.unreadCount === 5 && now;
    });
    await untilCount(engine.database, 'backendEvent', { appliedAt: null }, 0);
    expect((await messages(chat.conversationId)).messages.map(({ body }) => body).toSorted()).toEqual([...said, 'out']);
    expect((await chatOf(`${person}@c.us`))?.unreadCount).toBe(5);
    const statuses = statusesOf(passport);
    expect(new Set(statuses).size).toBe(statuses.length);
    const told = await toldPayloads(engine.database, { type: 'message', conversationId: chat.conversationId });
    expect(told.map(({ body }) => String(body)).toSorted()).toEqual(said);
    expect(await textsSeenBy(engine, name, `${person}@c.us`)).toEqual(['out']);
  });

  it('acks that come before the answer of the send are applied with it, in their order', async () => {
    const person = '15550100011';
    const sent = await send(engine, agency, person, 'acked before it is answered');
    const passport = await untilStatus(engine, agency, sent.messageId, 'read');
    expect(statusesOf(passport)).toEqual(['queued', 'sending', 'sent', 'delivered', 'read']);
  });

  it('a send that is under way while its chat is read is neither shown twice nor sent twice', async () => {
    const person = '15550110011';
    const sent = await send(engine, agency, person, 'read while it is sent');
    await eventually(async () =>
      (await sendsOf(engine, agency.session.name)).some(({ body }) => body === 'read while it is sent'),
    );
    const during = await messages(sent.conversationId, 'limit=60');
    // It is `sending` still, except where the read takes longer than the late answer.
    expect(during.messages).toMatchObject([{ body: 'read while it is sent', origin: 'api' }]);
    await untilStatus(engine, agency, sent.messageId, 'read');
    expect((await messages(sent.conversationId)).messages).toMatchObject([{ origin: 'api', status: 'read' }]);
    expect((await passportOf(engine, agency, sent.messageId)).attempts).toBe(1);
    expect(
      (await sendsOf(engine, agency.session.name)).filter(({ chatId }) => chatId === `${person}@c.us`),
    ).toHaveLength(1);
  });

  it('a live message that a read of the history is faster with is told and counted all the same', async () => {
    const person = '15550100604';
    const { name } = agency.session;
    await say(person, 'known');
    const chat = await eventually(() => chatOf(`${person}@c.us`));
    await engine.control('POST', '/faults', { webhook: 'reorder', delayMs: 1, session: name, count: 1 });
    await engine.control('POST', '/faults', { webhook: 'lose', session: name, count: 1 });
    const id = await say(person, 'found in the history');
    await messages(chat.conversationId, 'limit=90');
    await untilCount(engine.database, 'message', { networkId: id, origin: 'history' });
    // The lost report comes after all.
    await engine.control('POST', `/sessions/${name}/event`, {
      event: 'message.any',
      payload: {
        id: `false_${person}@c.us_${id}`,
        from: `${person}@c.us`,
        fromMe: false,
        body: 'found in the history',
        timestamp: Math.floor(Date.now() / 1_000),
        source: 'app',
        hasMedia: false,
      },
    });
    await untilCount(engine.database, 'event', { type: 'message', body: like('%found in the history%') });
    expect(await chatOf(`${person}@c.us`)).toMatchObject({ unreadCount: 2 });
    expect((await messages(chat.conversationId)).messages).toHaveLength(2);
  });

  it('a message that a person writes on the phone shows up once, as written on the phone', async () => {
    const person = '15550100605';
    const id = await ownerWrites(engine, agency.session.name, { to: person, text: 'from my phone' });
    await untilCount(engine.database, 'backendEvent', { ownNetworkId: id });
    await untilCount(engine.database, 'parkedOwnMessage', { networkId: id });
    await engine.control('POST', `/sessions/${agency.session.name}/ack`, { id, ack: 3 });
    await untilCount(engine.database, 'parkedAck', { networkId: id, level: 3 });
    // Ten seconds later nobody has claimed it.
    await changeRows(engine.database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 10 }) });
    const chat = await eventually(async () => {
      const now = await chatOf(`${person}@c.us`);
      return now?.lastMessage ? now : undefined;
    });
    expect(chat).toMatchObject({ unreadCount: 0, lastMessage: { body: 'from my phone', fromMe: true } });
    const [message] = await eventually(async () => {
      const { messages: now } = await messages(chat.conversationId);
      return now[0]?.ack === 3 && now;
    });
    expect(message).toMatchObject({ origin: 'phone', status: 'read', ackName: 'READ' });
    expect(await textsSeenBy(engine, agency.session.name, `${person}@c.us`)).toEqual([]);
  });

  it('stories and channels are read by the routes of the backend, and are neither chats nor events', async () => {
    const { name } = agency.session;
    const elsewhere = ['status@broadcast', '120363000000000901@newsletter'];
    for (const [index, chat] of elsewhere.entries()) {
      const payload = { from: chat, participant: '15550100905@c.us', fromMe: false, body: 'for all', timestamp: 1 };
      const said = { ...payload, id: `false_${chat}_ALL${index}_15550100905@c.us`, hasMedia: false };
      await engine.control('POST', `/sessions/${name}/event`, { event: 'message.any', payload: said });
    }
    await untilCount(engine.database, 'backendEvent', { body: like('%"for all"%'), appliedAt: not(null) }, 2);
    expect(await countRows(engine.database, 'message', { body: 'for all' })).toBe(0);
    expect(await countRows(engine.database, 'event', { body: like('%"for all"%') })).toBe(0);
    const shown = (await chats('limit=1000')).chats.map(({ chatId }) => chatId);
    expect(shown.filter((chatId) => elsewhere.includes(chatId))).toEqual([]);
    for (const path of ['channels', 'chats/status@broadcast/messages?limit=1&downloadMedia=false']) {
      const read = await call(engine, 'GET', `/api/${name}/${path}`, { key: agency.scopedKey });
      expect(read.status).toBe(200);
    }
  });

  it('a person with a hidden id and a phone is one conversation', async () => {
    const person = '15550100606';
    await say(person, 'by phone');
    await eventually(() => chatOf(`${person}@c.us`));
    await personWrites(engine, agency.session.name, { from: person, text: 'by hidden id', lid: '199900011122233' });
    await untilCount(engine.database, 'message', { body: 'by hidden id' });
    const chat = await chatOf(`${person}@c.us`);
    expect(chat?.lastMessage?.body).toBe('by hidden id');
    expect((await messages(chat?.conversationId ?? '')).messages).toHaveLength(2);
  });
});
