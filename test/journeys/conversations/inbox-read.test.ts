import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, earlier, not, rowsOf, untilCount } from '../../support/rows.ts';
import { ownerWrites, personWrites } from '../../support/sandbox-record.ts';
import { send, untilStatus } from '../../support/sends.ts';

describe('what nobody has read', () => {
  let engine: TestEngine;
  let agency: Agency;
  let people = 0;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'reading' });
    await untilCount(engine.database, 'session', { syncedAt: not(null) });
  });
  afterAll(() => engine.close());

  const person = () => `1555018${String(1_000 + ++people)}`;
  const post = (path: string, body: object = {}) => call(engine, 'POST', path, { key: agency.scopedKey, body });
  const chatOf = async (phone: string) => {
    const { body } = await call(engine, 'GET', '/api/v1/inbox/chats?limit=100', { key: agency.scopedKey });
    const chats = body['chats'] as { chatId: string; conversationId: string; unreadCount: number }[];
    return chats.find(({ chatId }) => chatId === `${phone}@c.us`);
  };
  const unread = async (phone: string) => (await chatOf(phone))?.unreadCount;
  /** Sends these messages from a new person, and returns their conversation. */
  const wrote = async (phone: string, ...texts: string[]): Promise<string> => {
    // One after the other: the network promises no more order than that.
    for (const [index, text] of texts.entries()) {
      await personWrites(engine, agency.session.name, { from: phone, text });
      await eventually(async () => (await unread(phone)) === index + 1);
    }
    return (await chatOf(phone))?.conversationId ?? '';
  };
  const messageOf = async (text: string | undefined, conversationId: string): Promise<string | undefined> => {
    const rows = await rowsOf(
      engine.database,
      sql<{ id: string }>`select m.id from message m join conversation c on c.id = m.conversation_id
        where coalesce(c.merged_into, c.id) = (select coalesce(merged_into, id) from conversation where id = ${conversationId})
          and m.body = ${text}`,
    );
    return rows[0]?.id;
  };
  /** Answers how many are unread from then on. */
  const readUpTo = async (conversationId: string, text: string | undefined) => {
    const upTo = await messageOf(text, conversationId);
    return (await post(`/api/v1/conversations/${conversationId}/read`, { upTo })).body['unreadCount'];
  };
  const seenCalls = async (): Promise<number> =>
    (JSON.stringify(await engine.control('GET', '/record')).match(/\/api\/sendSeen/g) ?? []).length;

  it('is read by the person who replies through the inbox, also where the reply goes later', async () => {
    const phones = [person(), person()];
    for (const [index, phone] of phones.entries()) {
      const id = await wrote(phone, 'one', 'two');
      const later = index === 0 ? {} : { sendAt: new Date(Date.now() + 3_600_000).toISOString() };
      const reply = await post(`/api/v1/inbox/conversations/${id}/messages`, { content: 'Hello', ...later });
      expect(reply.status).toBe(202);
      expect(await unread(phone)).toBe(0);
    }
  });

  it('is not read by a send of the API or by a bot that replies, and is by a sent answer of the AI agent', async () => {
    const phone = person();
    const id = await wrote(phone, 'one', 'two');
    const sent = await send(engine, agency, phone, 'by the API');
    await untilStatus(engine, agency, sent.messageId, 'sent');
    await post(`/api/v1/inbox/conversations/${id}/messages`, { content: 'Hello', actor: 'bot' });
    expect(await unread(phone)).toBe(2);

    const put = (what: string, body: object) =>
      call(engine, 'PUT', `/api/v1/ai-sales-agent/${what}`, { key: agency.scopedKey, body });
    await put('persona', { quietPeriodMs: 0, extractMemories: false });
    await put('state', { enabled: true, mode: 'bot_active' });
    const other = person();
    const answered = await wrote(other, 'one');
    await untilCount(engine.database, 'aiTurn', { conversationId: answered, outcome: 'reply' });
    await eventually(async () => (await unread(other)) === 0);
    await put('state', { enabled: false });
    expect(await unread(phone)).toBe(2);
  });

  it('is read by the owner who answers on the phone, up to that answer', async () => {
    const phone = person();
    const at = Math.floor(Date.now() / 1_000) - 60;
    await personWrites(engine, agency.session.name, { from: phone, text: 'one', timestamp: at });
    await eventually(async () => (await unread(phone)) === 1);
    const networkId = await ownerWrites(engine, agency.session.name, { to: phone, text: 'Hello', timestamp: at + 10 });
    await untilCount(engine.database, 'parkedOwnMessage', { networkId });
    // Before it is known who wrote the answer, the next question is here.
    await personWrites(engine, agency.session.name, { from: phone, text: 'two', timestamp: at + 20 });
    await eventually(async () => (await unread(phone)) === 2);
    await changeRows(engine.database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 10 }) });
    await untilCount(engine.database, 'message', { networkId, origin: 'phone' });
    expect(await unread(phone)).toBe(1);
  });

  it('is read by the owner who opens the chat on the phone, up to what was there to read', async () => {
    const phone = person();
    const { name } = agency.session;
    const at = Math.floor(Date.now() / 1_000) - 60;
    const ids: string[] = [];
    for (const [index, text] of ['one', 'two', 'three'].entries()) {
      ids.push(await personWrites(engine, name, { from: phone, text, timestamp: at + index * 10 }));
    }
    await eventually(async () => (await unread(phone)) === 3);
    const opened = (id: string | undefined, ack: number) =>
      engine.control('POST', `/sessions/${name}/event`, {
        event: 'message.ack',
        payload: { id: `false_${phone}@c.us_${id}`, from: `${phone}@c.us`, fromMe: false, ack },
      });
    await opened(ids[2], 2);
    await opened(ids[1], 3);
    await eventually(async () => (await unread(phone)) === 1);
    // A report that comes late makes nothing unread again, and one of what nobody knows changes nothing.
    await opened(ids[0], 3);
    await opened('NOBODYS', 3);
    await opened(ids[2], 4);
    await eventually(async () => (await unread(phone)) === 0);
  });

  it('is read where a reading of the history finds the answer on the phone', async () => {
    const phone = person();
    const { name } = agency.session;
    const id = await wrote(phone, 'one', 'two');
    await engine.control('POST', '/faults', { webhook: 'lose', session: name, count: 1 });
    const networkId = await ownerWrites(engine, name, {
      to: phone,
      text: 'Hello',
      timestamp: Math.floor(Date.now() / 1_000) + 1,
    });
    await call(engine, 'GET', `/api/v1/inbox/conversations/${id}/messages?limit=90`, { key: agency.scopedKey });
    await untilCount(engine.database, 'message', { networkId, origin: 'history' });
    await eventually(async () => (await unread(phone)) === 0);
    await engine.control('DELETE', '/faults');
  });

  describe('by the route', () => {
    it('all of it, as often as it is asked for, and the network learns of it only where that is wanted', async () => {
      const phone = person();
      const id = await wrote(phone, 'one', 'two');
      const before = await seenCalls();
      for (let time = 0; time < 2; time += 1) {
        const read = await post(`/api/v1/conversations/${id}/read`);
        expect([read.status, read.body]).toEqual([200, { conversationId: id, unreadCount: 0, networkTold: false }]);
      }
      expect(await unread(phone)).toBe(0);
      expect(await seenCalls()).toBe(before);
      const told = await post(`/api/v1/conversations/${id}/read`, { tellNetwork: true });
      expect(told.body).toEqual({ conversationId: id, unreadCount: 0, networkTold: true });
      expect(await seenCalls()).toBe(before + 1);
    });

    it('up to a message that was shown, and not what has come since', async () => {
      const phone = person();
      const at = Math.floor(Date.now() / 1_000) - 60;
      for (const [index, text] of ['one', 'two', 'three'].entries()) {
        await personWrites(engine, agency.session.name, { from: phone, text, timestamp: at + index * 10 });
      }
      const id = await eventually(async () => {
        const chat = await chatOf(phone);
        return chat?.unreadCount === 3 && chat.conversationId;
      });
      const read = (text: string) => readUpTo(id, text);
      expect(await read('two')).toBe(1);
      // A late read of an older message makes nothing unread again.
      expect(await read('one')).toBe(1);
      expect(await read('three')).toBe(0);
      expect((await post(`/api/v1/conversations/${id}/read`, { upTo: 'msg_nobodys' })).status).toBe(404);
    });

    it('up to a message that was shown, and not another of the same second', async () => {
      const phone = person();
      const timestamp = Math.floor(Date.now() / 1_000) - 60;
      for (const text of ['one', 'two', 'three']) {
        await personWrites(engine, agency.session.name, { from: phone, text, timestamp });
      }
      const id = await eventually(async () => {
        const chat = await chatOf(phone);
        return chat?.unreadCount === 3 && chat.conversationId;
      });
      const { body } = await call(engine, 'GET', `/api/v1/inbox/conversations/${id}/messages`, {
        key: agency.scopedKey,
      });
      const [newest, middle, oldest] = (body['messages'] as { body: string }[]).map((message) => message.body);
      expect(await readUpTo(id, oldest)).toBe(2);
      expect(await readUpTo(id, middle)).toBe(1);
      expect(await readUpTo(id, newest)).toBe(0);
    });

    it('up to a message that is still to follow the conversation into the one that it was merged into', async () => {
      const [before, after] = [person(), person()];
      const from = await wrote(before, 'one', 'two');
      const into = await wrote(after, 'three');
      // As a merge leaves a long conversation: its count goes at once, its messages follow.
      await changeRows(engine.database, 'conversation', { mergedInto: into, unreadCount: 0 }, { id: from });
      await changeRows(engine.database, 'conversation', { unreadCount: 3 }, { id: into });
      expect(await readUpTo(into, 'one')).toBe(2);
      expect(await readUpTo(into, 'two')).toBe(1);
      expect(await readUpTo(from, 'three')).toBe(0);
      const other = await wrote(person(), 'elsewhere');
      const stranger = await messageOf('elsewhere', other);
      expect((await post(`/api/v1/conversations/${into}/read`, { upTo: stranger })).status).toBe(404);
    });

    it('here, also when the network cannot be told', async () => {
      const phone = person();
      const id = await wrote(phone, 'one');
      await engine.control('POST', '/faults', { route: 'sendSeen', kind: 'status500', session: agency.session.name });
      const read = await post(`/api/v1/conversations/${id}/read`, { tellNetwork: true });
      await engine.control('DELETE', '/faults');
      expect([read.status, read.body]).toEqual([200, { conversationId: id, unreadCount: 0, networkTold: false }]);
    });

    it('of no other tenant, nor of a conversation that is not there', async () => {
      expect((await post('/api/v1/conversations/cnv_nobodys/read')).status).toBe(404);
    });
  });
});
