import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';
import { eventually } from './eventually.ts';
import { aWebhookInbox } from './webhook-inbox.ts';
import type { WebhookInbox } from './webhook-inbox.ts';

describe('the people behind the magic numbers', () => {
  let sandbox: ASandbox;
  let inbox: WebhookInbox;
  const session = 'shop';

  beforeEach(async () => {
    // Far enough apart that the times in the events tell their order; webhooks arrive in any.
    sandbox = await aSandbox({ ackDelayMs: 20 });
    inbox = await aWebhookInbox();
    await sandbox.aWorkingSession(session, {
      webhooks: [{ url: inbox.url, events: ['session.status', 'message.any', 'message.ack'] }],
    });
  });

  afterEach(async () => {
    await sandbox.close();
    inbox.close();
  });

  const numbered = (digits: string) => `1555010${digits}@c.us`;
  const write = (digits: string) => sandbox.sendText(session, numbered(digits), `to ${digits}`);
  const ackEvents = () => inbox.of('message.ack').toSorted((a, b) => a.timestamp - b.timestamp);
  const acks = () => ackEvents().map(({ payload }) => payload['ack']);
  const chatWith = (digits: string) => sandbox.messagesOf(session, numbered(digits));
  const statusNow = async () => (await sandbox.get(`/api/sessions/${session}`)).text;
  const networkState = async () => (await sandbox.record(session)).sends.at(-1)?.reachedNetwork;

  it('0001 replies with an echo', async () => {
    await write('0001');
    const reply = await eventually('the reply', async () => (await chatWith('0001')).find(({ fromMe }) => !fromMe));
    expect(reply.body).toBe('You said: to 0001');
    await eventually('it was told', () =>
      inbox.of('message.any').some(({ payload }) => payload['body'] === 'You said: to 0001'),
    );
  });

  it('0002 never acks', async () => {
    await write('0002');
    await write('0123');
    await eventually('somebody else has read', () => acks().includes(3));
    expect((await chatWith('0002'))[0]?.ack).toBe(0);
  });

  it('0003 acks later than others', async () => {
    await write('0003');
    const sent = await eventually('what was sent is told', () => inbox.of('message.any')[0]);
    await eventually('all acks', () => acks().length === 3);
    const waits = ackEvents().map(({ timestamp }) => timestamp - sent.timestamp);
    // Others ack after 20, 40 and 60 ms. A timer may be early by a millisecond, and late by any time.
    expect(waits.map((ms, index) => ms >= 400 * (index + 1) - 5)).toEqual([true, true, true]);
  });

  it('0004 acks out of order and ends as read', async () => {
    await write('0004');
    await eventually('three acks', () => acks().length === 3);
    const at = (ack: number) => ackEvents().find(({ payload }) => payload['ack'] === ack)?.timestamp ?? 0;
    // On a busy machine two may bear the same millisecond.
    expect(at(3)).toBeLessThanOrEqual(at(1));
    expect(at(1)).toBeLessThanOrEqual(at(2));
    expect((await chatWith('0004'))[0]?.ack).toBe(3);
  });

  it('0005 drops the connection after the message was sent', async () => {
    await expect(write('0005')).rejects.toThrow('fetch failed');
    expect(await networkState()).toBe(true);
    expect((await chatWith('0005'))[0]?.body).toBe('to 0005');
  });

  it('0006 fails with 500 and is not sent', async () => {
    expect((await write('0006')).status).toBe(500);
    expect(await networkState()).toBe(false);
    expect(await chatWith('0006')).toEqual([]);
  });

  it('0007 is an account restriction: an error ack with code 463', async () => {
    await write('0007');
    const told = await eventually('the error ack', () => inbox.of('message.ack')[0]);
    expect(told.payload).toMatchObject({ ack: -1, ackName: 'ERROR', error: { code: '463', blocked: true } });
    expect(await statusNow()).toContain('"isActive":true');
  });

  it('0008 is answered by the owner from the phone', async () => {
    await write('0008');
    const own = await eventually('the answer', async () =>
      (await chatWith('0008')).find(({ source }) => source === 'app'),
    );
    expect(own).toMatchObject({ fromMe: true, source: 'app' });
  });

  it('0009 loses the session after accepting', async () => {
    expect((await write('0009')).status).toBe(201);
    await eventually('the session failed', async () => (await statusNow()).includes('"FAILED"'));
    await eventually('it was told', () =>
      inbox.of('session.status').some(({ payload }) => payload['status'] === 'FAILED'),
    );
  });

  it('0010 is not on the network', async () => {
    const check = await sandbox.get(`/api/contacts/check-exists?session=${session}&phone=%2B15550100010`);
    expect(check.json()).toEqual({ numberExists: false });
    const other = await sandbox.get(`/api/contacts/check-exists?session=${session}&phone=%2B15550100123`);
    expect(other.json()).toEqual({ numberExists: true, chatId: '15550100123@c.us' });
    expect((await write('0010')).status).toBe(201);
    await write('0123');
    await eventually('somebody else has read', () => acks().includes(3));
    expect((await chatWith('0010'))[0]?.ack).toBe(0);
  });

  it('0013 has another chat id than its number', async () => {
    const check = await sandbox.get(`/api/contacts/check-exists?session=${session}&phone=5511955550013`);
    expect(check.json()).toEqual({ numberExists: true, chatId: '551155550013@c.us' });
  });

  const heardFrom = (chatId: string, body: string) =>
    eventually(`"${body}" from ${chatId}`, () =>
      inbox
        .of('message.any')
        .find(({ payload }) => payload['fromMe'] === false && payload['from'] === chatId && payload['body'] === body),
    );
  const alternativeOf = ({ payload }: { payload: Record<string, unknown> }) =>
    z.looseObject({ key: z.looseObject({ remoteJidAlt: z.string().optional() }) }).parse(payload['_data']).key
      .remoteJidAlt;

  it('0015 replies under a hidden id, at first without the phone', async () => {
    const hidden = '915550100015@lid';
    await write('0015');
    expect(alternativeOf(await heardFrom(hidden, 'You said: to 0015'))).toBeUndefined();
    await sandbox.sendText(session, hidden, 'to the hidden id');
    expect(alternativeOf(await heardFrom(hidden, 'You said: to the hidden id'))).toBe('15550100015@s.whatsapp.net');
  });

  it('0016 changes number before the second reply, and nobody is at the old one', async () => {
    const hidden = '915550100016@lid';
    await write('0016');
    expect(alternativeOf(await heardFrom(hidden, 'You said: to 0016'))).toBe('15550100016@s.whatsapp.net');
    await sandbox.sendText(session, hidden, 'again');
    expect(alternativeOf(await heardFrom(hidden, 'You said: again'))).toBe('15550110016@s.whatsapp.net');
    const check = await sandbox.get(`/api/contacts/check-exists?session=${session}&phone=15550100016`);
    expect(check.json()).toEqual({ numberExists: false });
    await sandbox.sendText(session, '15550110016@c.us', 'to the new number');
    await heardFrom(hidden, 'You said: to the new number');
  });

  it('0011 is sent at once and answered late', async () => {
    const slow = write('0011');
    await eventually('it is read before the answer', () => acks().includes(3));
    expect((await slow).status).toBe(201);
  });

  it('0012 is sent although 500 is answered', async () => {
    expect((await write('0012')).status).toBe(500);
    expect(await networkState()).toBe(true);
    expect((await chatWith('0012'))[0]?.body).toBe('to 0012');
  });

  it('0017 is sent, and nothing shows it: no event, no chat, no search for own messages', async () => {
    expect((await write('0017')).status).toBe(500);
    expect(await networkState()).toBe(true);
    expect(await chatWith('0017')).toEqual([]);
    const own = await sandbox.get(`/api/${session}/chats/${numbered('0017')}/messages?filter.fromMe=true`);
    expect(own.status).toBe(500);
    await write('0123');
    await eventually('somebody else has read', () => acks().includes(3));
    await eventually('what was sent to them is told', () => inbox.of('message.any').length > 0);
    expect(inbox.of('message.any').map(({ payload }) => payload['body'])).toEqual(['to 0123']);
  });

  it('0018 is shown by the chat a while after its connection dropped, and by no event of its own', async () => {
    await expect(write('0018')).rejects.toThrow('fetch failed');
    expect(await chatWith('0018')).toEqual([]);
    expect(await networkState()).toBe(true);
    await eventually('the chat shows it', async () => (await chatWith('0018'))[0]?.body === 'to 0018');
    await eventually('it is read', () => acks().includes(3));
    expect(inbox.of('message.any')).toEqual([]);
  });
});
