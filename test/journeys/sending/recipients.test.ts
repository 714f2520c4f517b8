import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { workflowId } from '../../../domain/names.ts';
import { RECONCILE } from '../../../domain/workflows.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { above, among, databaseNow, findRows, not, untilCount } from '../../support/rows.ts';
import { personWrites, sendsOf, textsSeenBy } from '../../support/sandbox-record.ts';
import { passportOf, send, statusesOf, untilStatus } from '../../support/sends.ts';

const Calls = z.object({ calls: z.array(z.object({ path: z.string() })) });
const Accepted = z.object({ messages: z.array(z.object({ messageId: z.string() })) });

describe('sending to people', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'people' });
  });
  afterAll(() => engine.close());

  async function callsOf(session: string, ...names: string[]): Promise<string[]> {
    const record = Calls.parse(await engine.control('GET', `/record?session=${encodeURIComponent(session)}`));
    return record.calls.flatMap(({ path }) => names.find((name) => path.includes(name)) ?? []);
  }

  const conversationOf = (messageId: string) =>
    findRows(engine.database, 'conversation', { id: among('message', { id: messageId }, 'conversationId') }, [
      'id',
      'chatId',
      'contactId',
    ]);

  it('a number is checked on the network before the first message to it, and not again', async () => {
    const first = await send(engine, agency, '15550100401', 'first');
    await untilStatus(engine, agency, first.messageId, 'read');
    const second = await send(engine, agency, '15550100401', 'second');
    await untilStatus(engine, agency, second.messageId, 'read');
    expect(await callsOf(agency.session.name, 'check-exists', 'sendText')).toEqual([
      'check-exists',
      'sendText',
      'sendText',
    ]);
  });

  it('a number that is not on the network fails at once, takes its attachments with it, and is not asked about again', async () => {
    const answer = await call(engine, 'POST', '/api/v1/messages/send', {
      key: agency.scopedKey,
      body: {
        to: '15550100010',
        text: 'to nobody',
        attachments: [{ kind: 'audio', url: 'http://127.0.0.1:9/a.ogg' }],
      },
    });
    const [text = '', audio = ''] = Accepted.parse(answer.body).messages.map(({ messageId }) => messageId);
    expect((await untilStatus(engine, agency, text, 'failed')).error?.code).toBe('not_on_network');
    expect((await untilStatus(engine, agency, audio, 'cancelled')).error?.code).toBe('text_failed');
    const again = await send(engine, agency, '15550100010', 'to nobody again');
    expect((await untilStatus(engine, agency, again.messageId, 'failed')).attempts).toBe(0);
    const { name } = agency.session;
    expect((await sendsOf(engine, name)).filter(({ body }) => body?.startsWith('to nobody'))).toEqual([]);
    expect(await callsOf(name, 'check-exists')).toHaveLength(2);
  });

  it.each([
    ['+54 11 1234-0029', '5491112340029'],
    ['+52 55 1234 0029', '5215512340029'],
    ['551187650029', '5511987650029'],
  ])('the number %s is asked for in each spelling before it counts as absent', async (to, phone) => {
    const { messageId } = await send(engine, agency, to, `to ${phone}`);
    await untilStatus(engine, agency, messageId, 'read');
    const [sent] = (await sendsOf(engine, agency.session.name)).filter(({ body }) => body === `to ${phone}`);
    expect(sent?.chatId).toBe(`${phone}@c.us`);
    expect(await conversationOf(messageId)).toMatchObject([{ chatId: `${phone}@c.us` }]);
    const again = await send(engine, agency, to, 'again');
    expect(await conversationOf(again.messageId)).toEqual(await conversationOf(messageId));
  });

  it.each(['+54 11 1234-0010', '+52 55 1234-0010', '551187650010'])(
    'the number %s is absent once no spelling of it is on the network',
    async (to) => {
      const { name } = agency.session;
      const before = (await callsOf(name, 'check-exists')).length;
      const { messageId } = await send(engine, agency, to, 'to nobody in any spelling');
      expect((await untilStatus(engine, agency, messageId, 'failed')).error?.code).toBe('not_on_network');
      expect((await callsOf(name, 'check-exists')).length).toBeGreaterThanOrEqual(before + 2);
      expect((await sendsOf(engine, name)).filter(({ body }) => body === 'to nobody in any spelling')).toEqual([]);
    },
  );

  it('a contact who has written is found in another spelling, also while the network cannot be asked', async () => {
    const other = await anAgencyWithScopedKey(engine, { agencyId: 'spelt' });
    const { name: session } = other.session;
    await personWrites(engine, session, { from: '5215512340031', text: 'Hola' });
    await untilCount(engine.database, 'conversation', { sessionId: other.session.id, chatId: '5215512340031@c.us' });
    await engine.control('POST', '/faults', { route: 'check-exists', kind: 'status500', session, count: 9 });
    const { messageId } = await send(engine, other, '+52 55 1234-0031', 'to the one who wrote');
    await untilStatus(engine, other, messageId, 'read');
    expect(await conversationOf(messageId)).toMatchObject([{ chatId: '5215512340031@c.us' }]);
    expect(await textsSeenBy(engine, session, '5215512340031@c.us')).toEqual(['to the one who wrote']);
  });

  it('a network that cannot be asked about a number holds up nothing', async () => {
    const other = await anAgencyWithScopedKey(engine, { agencyId: 'unasked' });
    const { name: session } = other.session;
    await engine.control('POST', '/faults', { route: 'check-exists', kind: 'status500', session });
    const { messageId } = await send(engine, other, '15550100402', 'anyway');
    await untilStatus(engine, other, messageId, 'read');
    expect(await textsSeenBy(engine, session, '15550100402@c.us')).toEqual(['anyway']);
  });

  it('a number that the network knows under another is written to under that one, as one person', async () => {
    const { messageId, contactId } = await send(engine, agency, '5511987650013', 'with the ninth digit');
    await untilStatus(engine, agency, messageId, 'read');
    const [sent] = (await sendsOf(engine, agency.session.name)).filter(({ body }) => body === 'with the ninth digit');
    expect(sent?.chatId).not.toBe('5511987650013@c.us');
    expect(await conversationOf(messageId)).toMatchObject([{ chatId: sent?.chatId, contactId }]);
    const shorter = await send(engine, agency, (sent?.chatId ?? '').replace('@c.us', ''), 'without it');
    const longer = await send(engine, agency, '5511987650013', 'with it again');
    expect([shorter.contactId, longer.contactId]).toEqual([contactId, contactId]);
    await untilStatus(engine, agency, longer.messageId, 'read');
  });

  it('a refusal 463 of an account without a restriction concerns its recipient, and several of them the account', async () => {
    const other = await anAgencyWithScopedKey(engine, { agencyId: 'refused' });
    const { name: session } = other.session;
    const refuses = (count: number) =>
      engine.control('POST', '/faults', {
        route: 'sendText',
        kind: 'status500',
        session,
        count,
        message: 'server returned error 463',
      });
    const heldUntil = () =>
      findRows(
        engine.database,
        'sessionPace',
        { sessionId: other.session.id, restrictedUntil: above(databaseNow) },
        { code: 'restriction' },
      );
    const refused = async (phone: string) => {
      await refuses(1);
      const { messageId } = await send(engine, other, phone, 'first words');
      expect((await untilStatus(engine, other, messageId, 'failed')).error).toMatchObject({
        code: 'recipient_refused',
        message: expect.stringContaining('account is not restricted'),
      });
    };
    await refused('15550103401');
    await refused('15550103401');
    await refused('15550103402');
    expect(await heldUntil()).toEqual([]);
    const stranger = await send(engine, other, '15550103403', 'another first word');
    await untilStatus(engine, other, stranger.messageId, 'read');

    await refused('15550103404');
    expect(await heldUntil()).toEqual([{ code: 'recipients_refused' }]);
    await personWrites(engine, session, { from: '15550103405', text: 'I write first' });
    const waits = await send(engine, other, '15550103406', 'too early');
    const reply = await eventually(async () => {
      const rows = await findRows(
        engine.database,
        'conversation',
        { sessionId: other.session.id, chatId: '15550103405@c.us', lastInboundAt: not(null) },
        ['id'],
      );
      return rows.length > 0 && send(engine, other, '15550103405', 'a reply');
    });
    await untilStatus(engine, other, reply.messageId, 'read');
    expect(await untilStatus(engine, other, waits.messageId, 'queued')).toMatchObject({ status: 'queued' });
  });

  it('two conversations that turn out to be one person become one, and the ids of both lead to it', async () => {
    const { name: session } = agency.session;
    await personWrites(engine, session, { from: '55218760013', text: 'I was here before' });
    const chatId = '55218760013@c.us';
    const before = await eventually(async () => {
      const rows = await findRows(engine.database, 'conversation', { sessionId: agency.session.id, chatId }, [
        'id',
        'contactId',
      ]);
      return rows[0];
    });
    const { messageId, conversationId, contactId } = await send(engine, agency, '552198760013', 'who are you?');
    expect(conversationId).not.toBe(before.id);
    await untilStatus(engine, agency, messageId, 'read');
    expect(await conversationOf(messageId)).toMatchObject([{ id: before.id, chatId, contactId: before.contactId }]);
    for (const id of [conversationId, before.id]) {
      const { body } = await call(engine, 'GET', `/api/v1/inbox/conversations/${id}/messages`, {
        key: agency.scopedKey,
      });
      expect(body['messages']).toMatchObject([{ body: 'who are you?' }, { body: 'I was here before' }]);
    }
    for (const recipient of [
      { conversationId },
      { contactId },
      { contactId: before.contactId },
      { to: '552198760013' },
    ]) {
      const answer = await call(engine, 'POST', '/api/v1/messages/send', {
        key: agency.scopedKey,
        body: { ...recipient, text: JSON.stringify(recipient) },
      });
      expect(answer.body).toMatchObject({ conversationId: before.id });
    }
  });

  it('a reply of a paced session is read and typed before it goes; other sends are not', async () => {
    const paced = await anAgencyWithScopedKey(engine, { agencyId: 'typed' });
    const { name: session } = paced.session;
    const set = await call(engine, 'PUT', `/api/v1/tenants/${paced.tenantId}/settings`, {
      key: paced.dashboardKey,
      body: { pace: { perMinute: 6_000, burst: 100 } },
    });
    expect(set.status).toBe(200);
    await personWrites(engine, session, { from: '15550100403', text: 'are you there?' });
    const { messageId, conversationId } = await send(engine, paced, '15550100403', 'a notice');
    await untilStatus(engine, paced, messageId, 'read');
    // Only what has come in is read.
    await untilCount(engine.database, 'message', { body: 'are you there?' });
    const answer = await call(engine, 'POST', `/api/v1/inbox/conversations/${conversationId}/messages`, {
      key: paced.scopedKey,
      body: { content: 'yes' },
    });
    await untilStatus(engine, paced, String(answer.body['messageId']), 'read');
    expect(await callsOf(session, 'sendSeen', 'startTyping', 'stopTyping', 'sendText')).toEqual([
      'sendText',
      'sendSeen',
      'startTyping',
      'stopTyping',
      'sendText',
    ]);
  });

  it('the delivery of one of many is not watched', async () => {
    const answer = await call(engine, 'POST', '/api/v1/messages/send', {
      key: agency.scopedKey,
      body: { to: '15550100002', text: 'one of many', priority: 'bulk' },
    });
    const messageId = String(answer.body['messageId']);
    await untilStatus(engine, agency, messageId, 'sent');
    expect(await engine.temporal.workflow.getHandle(workflowId('deliverMessage', messageId)).result()).toBe('sent');
  });

  it('a sent message whose acks were lost is asked about, and has what the network knows', async () => {
    const { name: session } = agency.session;
    await engine.control('POST', '/faults', { webhook: 'lose', events: ['message.ack'], session });
    const { messageId } = await send(engine, agency, '15550100404', 'acks are lost');
    await untilStatus(engine, agency, messageId, 'sent');
    engine.database.clock.advance(120_000);
    const passport = await eventually(async () => {
      await engine.temporal.schedule.getHandle(RECONCILE.scheduleId).trigger();
      const now = await passportOf(engine, agency, messageId);
      return now.status !== 'sent' && now;
    });
    expect(statusesOf(passport).slice(0, 3)).toEqual(['queued', 'sending', 'sent']);
    expect(['delivered', 'read']).toContain(passport.status);
    await engine.control('DELETE', '/faults');
  });
});
