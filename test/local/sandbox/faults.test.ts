import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';
import { eventually } from './eventually.ts';
import { aWebhookInbox } from './webhook-inbox.ts';

const ANYBODY = '15550100123@c.us';
const session = 'shop';
const Refused = z.object({ cause: z.object({ code: z.literal('ECONNREFUSED') }) });

describe('faults of the sandbox', () => {
  let sandbox: ASandbox;

  beforeEach(async () => {
    sandbox = await aSandbox();
    await sandbox.aWorkingSession(session);
  });

  afterEach(() => sandbox.close());

  const arm = (fault: object) => sandbox.post('/sandbox/faults', fault);
  const write = (text: string) => sandbox.sendText(session, ANYBODY, text);
  const reached = async () => (await sandbox.record(session)).sends.map(({ reachedNetwork }) => reachedNetwork);

  it('the next calls of a route fail, then it works again', async () => {
    await arm({ route: 'sendText', kind: 'status500', count: 2, message: 'rate-overlimit' });
    const first = await write('one');
    expect(first.json()).toMatchObject({ statusCode: 500, exception: { message: 'rate-overlimit' } });
    expect((await write('two')).status).toBe(500);
    expect((await write('three')).status).toBe(201);
    expect(await reached()).toEqual([false, false, true]);
  });

  it('a fault that is spelled wrong is refused with what it may be', async () => {
    const wrongKind = await arm({ route: 'sendText', kind: 'explode' });
    expect(wrongKind.status).toBe(400);
    expect(wrongKind.text).toContain('kind');
    expect(wrongKind.text).toContain('status500');
    expect((await arm({ rout: 'sendText', kind: 'drop' })).text).toContain('route, webhook, refuse');
  });

  it('a fault that could never strike is refused: its route or its session does not exist', async () => {
    const wrongRoute = await arm({ route: 'sendTxt', kind: 'drop' });
    expect(wrongRoute.status).toBe(400);
    expect(wrongRoute.text).toMatch(/sendTxt.*It may be.*check-exists.*sendText/);
    for (const route of ['sendText', 'labels', 'check-exists', 'qr', '*']) {
      expect([route, (await arm({ route, kind: 'drop', session })).status]).toEqual([route, 201]);
    }
    const unknown = { session: 'ses_019a8f3e' };
    for (const fault of [{ route: 'sendText', kind: 'drop' }, { webhook: 'silent' }]) {
      const refused = await arm({ ...fault, ...unknown });
      expect(refused.status).toBe(404);
      expect(refused.text).toMatch(/ses_019a8f3e.*by their names.*shop/);
    }
    await sandbox.post(`/sandbox/sessions/${session}/lose`);
    expect((await arm({ webhook: 'silent', session })).status).toBe(201);
  });

  it('a dropped call was sent or not, as was asked for', async () => {
    await arm({ route: 'sendText', kind: 'drop' });
    await expect(write('lost')).rejects.toThrow('fetch failed');
    await arm({ route: 'sendText', kind: 'dropAfter' });
    await expect(write('sent')).rejects.toThrow('fetch failed');
    expect(await reached()).toEqual([false, true]);
  });

  it('a hanging call is given up by the caller and was not sent', async () => {
    await arm({ route: 'sendText', kind: 'hang' });
    const leaving = new AbortController();
    const call = fetch(`${sandbox.url}/api/sendText`, {
      method: 'POST',
      headers: { 'x-api-key': 'key-of-the-test', 'content-type': 'application/json' },
      body: JSON.stringify({ session, chatId: ANYBODY, text: 'anybody?' }),
      signal: leaving.signal,
    });
    const gaveUp = expect(call).rejects.toThrow();
    await eventually('the call to hang', async () => (await reached()).length === 1);
    leaving.abort();
    await gaveUp;
    expect(await reached()).toEqual([false]);
  });

  it('a call on hold goes on when its fault is ended, and is listed until then', async () => {
    const Listed = z.looseObject({ faults: z.array(z.looseObject({ id: z.string() })) });
    const listed = async () => Listed.parse((await sandbox.get('/sandbox/faults')).json()).faults;
    await arm({ route: 'sendText', kind: 'hold' });
    const held = write('held');
    await eventually('the call to arrive', async () => (await sandbox.record(session)).sends.length === 1);
    expect((await write('not held')).status).toBe(201);
    const [{ id } = { id: '' }] = await listed();
    expect((await sandbox.call('DELETE', `/sandbox/faults/${id}`)).status).toBe(204);
    expect((await held).status).toBe(201);
    expect(await listed()).toEqual([]);
  });

  it('a caller ends the fault that was armed by the id in the response', async () => {
    const Armed = z.looseObject({ id: z.string().nullable() });
    const idOf = async (fault: object) => Armed.parse((await arm(fault)).json()).id;
    const faults = [
      { route: 'sendText', kind: 'status500', count: 2 },
      { route: 'sendText', kind: 'status500', count: 2 },
      { webhook: 'lose', session },
      { refuse: true },
      { clockAheadMs: 1_000 },
    ];
    for (const fault of faults) {
      const id = await idOf(fault);
      expect((await sandbox.get('/sandbox/faults')).json()).toMatchObject({ faults: [{ id, fault }] });
      expect((await sandbox.call('DELETE', `/sandbox/faults/${id}`)).status).toBe(204);
      expect((await sandbox.get('/sandbox/faults')).json()).toEqual({ faults: [] });
    }
    // These end a fault, or end by themselves.
    for (const fault of [{ refuse: false }, { clockAheadMs: 0 }, { downMs: 1 }]) expect(await idOf(fault)).toBeNull();
  });

  it('a fault of one session spares the others, and deleting faults ends them', async () => {
    await sandbox.post('/api/sessions', { name: 'another', start: false });
    await arm({ route: '*', kind: 'status500', count: 100, session: 'another' });
    expect((await write('spared')).status).toBe(201);
    await arm({ route: '*', kind: 'status500', count: 100 });
    expect((await write('hit')).status).toBe(500);
    await sandbox.call('DELETE', '/sandbox/faults');
    expect((await write('fine')).status).toBe(201);
  });

  it('a refusing backend breaks every connection but the control API’s', async () => {
    await arm({ refuse: true });
    await expect(fetch(`${sandbox.url}/ping`)).rejects.toThrow('fetch failed');
    await arm({ refuse: false });
    expect((await fetch(`${sandbox.url}/ping`)).status).toBe(200);
  });

  it('a backend that is down refuses connections and comes back by itself', async () => {
    const refused = async () =>
      fetch(`${sandbox.url}/ping`).then(
        () => false,
        (error: unknown) => Refused.safeParse(error).success,
      );
    // The look begins before: it must not come when the backend is back already.
    const isDown = eventually('connections are refused', refused);
    await arm({ downMs: 1_000 });
    await isDown;
    await eventually('it is back', async () => !(await refused()));
    expect((await write('back')).status).toBe(201);
  });

  it('a webhook is retried with the same ids until it is received', async () => {
    const inbox = await aWebhookInbox((count) => (count < 3 ? 400 : 200));
    const webhooks = [{ url: inbox.url, events: ['message'], retries: { delaySeconds: 0, attempts: 5 } }];
    await sandbox.aWorkingSession('retried', { webhooks });
    await sandbox.post('/sandbox/sessions/retried/inbound', { from: '15550100123', text: 'Hi' });
    await eventually('three attempts', () => inbox.received.length === 3);
    expect(new Set(inbox.received.map(({ headers }) => headers['x-webhook-request-id'])).size).toBe(1);
    expect(new Set(inbox.received.map(({ event }) => event.id)).size).toBe(1);
    inbox.close();
  });

  it('webhooks are lost, repeated and reordered on demand', async () => {
    const inbox = await aWebhookInbox();
    await sandbox.aWorkingSession('messy', { webhooks: [{ url: inbox.url, events: ['message'] }] });
    const say = (text: string) => sandbox.post('/sandbox/sessions/messy/inbound', { from: '15550100123', text });
    const heard = () => inbox.received.map(({ event }) => String(event.payload['body']));
    await arm({ webhook: 'lose', count: 1, session: 'messy' });
    await say('lost');
    await arm({ webhook: 'duplicate', count: 1, session: 'messy' });
    await say('twice');
    await eventually('both copies', () => heard().length === 2);
    expect(heard()).toEqual(['twice', 'twice']);
    // Longer than the six take to be said, or each would be told before the next.
    await arm({ webhook: 'reorder', delayMs: 1_000, session: 'messy' });
    const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const text of texts) await say(text);
    await eventually('all six', () => heard().length === 8);
    expect(heard().slice(2)).not.toEqual(texts);
    expect(heard().slice(2).toSorted()).toEqual(texts);
    inbox.close();
  });

  it('a session that works and tells of nothing tells it late, when it is restarted', async () => {
    const inbox = await aWebhookInbox();
    await sandbox.aWorkingSession('dead', { webhooks: [{ url: inbox.url, events: ['message'] }] });
    await sandbox.aWorkingSession('alive', { webhooks: [{ url: inbox.url, events: ['message'] }] });
    const say = (name: string, text: string) =>
      sandbox.post(`/sandbox/sessions/${name}/inbound`, { from: '15550100123', text });
    const heard = () => inbox.received.map(({ event }) => String(event.payload['body']));
    await arm({ webhook: 'silent', session: 'dead' });
    await say('dead', 'is anybody there?');
    await say('alive', 'hello');
    await eventually('the other session is heard', () => heard().length === 1);
    const there = await sandbox.get('/api/sessions/dead');
    expect(there.json()).toMatchObject({ status: 'WORKING' });
    const [shown] = await sandbox.messagesOf('dead', ANYBODY);
    expect(shown?.body).toBe('is anybody there?');
    await sandbox.post('/api/sessions/dead/restart');
    await eventually('it is told late', () => heard().includes('is anybody there?'));
    expect((await sandbox.get('/sandbox/faults')).json()).toEqual({ faults: [] });
    expect(heard()).toEqual(['hello', 'is anybody there?']);
    inbox.close();
  });

  it('what happens while a session does not work is in its history and was never told', async () => {
    const inbox = await aWebhookInbox();
    await sandbox.aWorkingSession('away', { webhooks: [{ url: inbox.url, events: ['message', 'session.status'] }] });
    await sandbox.post('/api/sessions/away/stop');
    await sandbox.post('/sandbox/sessions/away/inbound', { from: '15550100123', text: 'You missed this' });
    await sandbox.post('/api/sessions/away/start');
    const [missed] = await eventually('it is back', async () => {
      const answer = await sandbox.get('/api/away/chats/15550100123@c.us/messages');
      return answer.status === 200 && sandbox.messagesOf('away', ANYBODY);
    });
    expect(missed?.body).toBe('You missed this');
    expect(inbox.of('message')).toEqual([]);
    inbox.close();
  });
});
