import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';
import { eventually } from './eventually.ts';
import { aWebhookInbox } from './webhook-inbox.ts';
import type { WebhookInbox } from './webhook-inbox.ts';

const ANYBODY = '15550100123@c.us';

describe('sends through the sandbox', () => {
  let sandbox: ASandbox;
  let inbox: WebhookInbox;

  beforeEach(async () => {
    sandbox = await aSandbox();
    inbox = await aWebhookInbox();
  });

  afterEach(async () => {
    await sandbox.close();
    inbox.close();
  });

  const aSession = (engine: string) =>
    sandbox.aWorkingSession(engine.toLowerCase(), {
      metadata: { 'sandbox.engine': engine },
      webhooks: [{ url: inbox.url, events: ['message.any', 'message.ack'] }],
    });

  const acksOf = (id: string) =>
    inbox
      .of('message.ack')
      .filter(({ payload }) => String(payload['id']).includes(id))
      .map(({ payload }) => Number(payload['ack']))
      .toSorted((a, b) => a - b);

  it('NOWEB answers with the raw engine object and acks server, device and read', async () => {
    const session = await aSession('NOWEB');
    const answer = await sandbox.sendText(session, ANYBODY, 'hello');
    expect(answer.status).toBe(201);
    const { key } = z
      .object({ key: z.object({ id: z.string() }), messageTimestamp: z.string(), status: z.literal('PENDING') })
      .parse(answer.json());
    const acks = await eventually('three acks', () => acksOf(key.id).length === 3 && acksOf(key.id));
    expect(acks).toEqual([1, 2, 3]);
    const echo = await eventually('its echo', () => inbox.of('message.any')[0]);
    expect(echo.payload).toMatchObject({ id: `true_${ANYBODY}_${key.id}`, from: ANYBODY, source: 'api', ack: 0 });
  });

  it('GOWS answers with a full id and never tells the server’s ack', async () => {
    const session = await aSession('GOWS');
    const answer = await sandbox.sendText(session, ANYBODY, 'hello', { id: 'CHOSEN01' });
    expect(answer.json()).toMatchObject({ id: `true_${ANYBODY}_CHOSEN01`, _data: { Info: { ID: 'CHOSEN01' } } });
    const acks = await eventually('two acks', () => acksOf('CHOSEN01').length === 2 && acksOf('CHOSEN01'));
    expect(acks).toEqual([2, 3]);
  });

  it('WEBJS answers with an object as id, ignores a chosen one and names the chat in `to`', async () => {
    const session = await aSession('WEBJS');
    const answer = await sandbox.sendText(session, ANYBODY, 'hello', { id: 'CHOSEN02' });
    const { id } = z.object({ id: z.object({ id: z.string(), _serialized: z.string() }) }).parse(answer.json());
    expect(id.id).not.toBe('CHOSEN02');
    expect(id._serialized).toBe(`true_${ANYBODY}_${id.id}`);
    await eventually('three acks', () => acksOf(id.id).length === 3);
    const echo = await eventually('its echo', () => inbox.of('message.any')[0]);
    expect(echo.payload).toMatchObject({ to: ANYBODY, fromMe: true });
  });

  it('a chosen id sent twice reaches people once and is recorded twice', async () => {
    const session = await aSession('NOWEB');
    await sandbox.sendText(session, ANYBODY, 'once', { id: '3EB0AA' });
    expect((await sandbox.sendText(session, ANYBODY, 'once', { id: '3EB0AA' })).status).toBe(201);
    const { sends } = await sandbox.record(session);
    expect(sends.map(({ chosenId, networkId, duplicate }) => [chosenId, networkId, duplicate])).toEqual([
      ['3EB0AA', '3EB0AA', false],
      ['3EB0AA', '3EB0AA', true],
    ]);
    const found = await sandbox.messagesOf(session, ANYBODY);
    expect(found.filter(({ body }) => body === 'once')).toHaveLength(1);
  });

  it('a send without a chat is a 500 that echoes the request, as the real one’s', async () => {
    const session = await aSession('NOWEB');
    const answer = await sandbox.post('/api/sendText', { session, text: 'to whom?' });
    expect(answer.status).toBe(500);
    expect(answer.json()).toMatchObject({
      statusCode: 500,
      exception: { message: expect.any(String), stack: expect.any(String) },
      request: { path: '/api/sendText', body: { text: 'to whom?' } },
    });
  });

  it('media are sent, listed and served under their address', async () => {
    const session = await aSession('NOWEB');
    const file = { mimetype: 'application/pdf', filename: 'offer.pdf', data: Buffer.from('%PDF-x').toString('base64') };
    const sent = await sandbox.post('/api/sendFile', { session, chatId: ANYBODY, file, caption: 'Our offer' });
    expect(sent.status).toBe(201);
    const told = await eventually('its echo', () => inbox.of('message.any')[0]);
    const { media } = z.object({ media: z.object({ url: z.string(), filename: z.string() }) }).parse(told.payload);
    expect(media.filename).toBe('offer.pdf');
    const path = new URL(media.url).pathname;
    expect((await fetch(media.url)).status).toBe(401);
    expect((await sandbox.get(path)).text).toBe('%PDF-x');
    const [withoutMedia] = await sandbox.messagesOf(session, ANYBODY);
    expect(withoutMedia).toMatchObject({ hasMedia: true, media: null, body: 'Our offer' });
  });

  it('a list without rows is refused with the real one’s sentences, a good one is sent', async () => {
    const session = await aSession('NOWEB');
    const bad = await sandbox.post('/api/sendList', { session, chatId: ANYBODY, message: { title: 'Menu' } });
    expect(bad.status).toBe(400);
    expect(bad.text).toContain('message.button should not be empty');
    expect(bad.text).toContain('message.sections must contain at least 1 elements');
    const sections = [{ title: 'Main', rows: [{ title: 'One', rowId: '1' }] }];
    const message = { title: 'Menu', button: 'Choose', sections };
    expect((await sandbox.post('/api/sendList', { session, chatId: ANYBODY, message })).status).toBe(201);
  });

  it('typing and seen are answered and recorded', async () => {
    const session = await aSession('NOWEB');
    await sandbox.post(`/sandbox/sessions/${session}/inbound`, { from: '15550100123', text: 'Anybody there?' });
    const seen = await sandbox.post('/api/sendSeen', { session, chatId: ANYBODY });
    expect(seen.json()).toMatchObject({ ids: [expect.stringContaining('false_')] });
    expect((await sandbox.post('/api/startTyping', { session, chatId: ANYBODY })).json()).toEqual({ result: true });
    const { calls } = await sandbox.record(session);
    expect(calls.map((call) => call.path)).toEqual(expect.arrayContaining(['/api/sendSeen', '/api/startTyping']));
  });

  it.each([
    ['NOWEB', 201, 201, { location: { latitude: '1.5', longitude: '2.5', name: 'Shop' }, body: null }],
    ['GOWS', 201, 501, { location: { latitude: '1.5' } }],
    ['WEBJS', 501, 201, { location: { latitude: '1.5' }, _data: { type: 'location' } }],
  ])(
    '%s answers a poll with %i and a forward with %i, and tells a location as such',
    async (engine, poll, forward, told) => {
      const session = await aSession(engine);
      const common = { session, chatId: ANYBODY };
      const place = await sandbox.post('/api/sendLocation', {
        ...common,
        latitude: 1.5,
        longitude: 2.5,
        title: 'Shop',
      });
      expect(place.status).toBe(201);
      const [echo] = await eventually('the echo', () => inbox.of('message.any').length > 0 && inbox.of('message.any'));
      expect(echo?.payload).toMatchObject(told);
      const question = { name: 'Which day?', options: ['Mon', 'Tue'], multipleAnswers: false };
      expect((await sandbox.post('/api/sendPoll', { ...common, poll: question })).status).toBe(poll);
      const messageId = String(echo?.payload['id']);
      expect((await sandbox.post('/api/forwardMessage', { ...common, messageId })).status).toBe(forward);
    },
  );
});
