import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';
import { eventually } from './eventually.ts';
import { aWebhookInbox } from './webhook-inbox.ts';
import type { WebhookInbox } from './webhook-inbox.ts';

const CHOOSER = '15550100014@c.us';
const buttons = [
  { type: 'reply', text: 'Yes', id: 'yes' },
  { type: 'url', text: 'Page', url: 'https://shop.example' },
  { type: 'reply', text: 'No', id: 'no' },
];
const message = {
  title: 'Menu',
  button: 'Choose',
  sections: [
    { title: 'Hot', rows: [{ title: 'Tea', rowId: 't' }] },
    { title: 'Cold', rows: [{ title: 'Water', rowId: 'w' }] },
  ],
};

describe('what the sandbox does with messages that are no plain text', () => {
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
      webhooks: [{ url: inbox.url, events: ['message', 'message.any', 'message.ack', 'message.ack.group'] }],
    });
  const answerOf = () => eventually('the choice', () => inbox.of('message')[0]?.payload);
  const sendButtons = (session: string) =>
    sandbox.post('/api/sendButtons', { session, chatId: CHOOSER, header: '', body: 'Sure?', footer: '', buttons });
  const sendList = (session: string) => sandbox.post('/api/sendList', { session, chatId: CHOOSER, message });

  it.each([
    ['GOWS', sendButtons],
    ['WEBJS', sendButtons],
    ['WEBJS', sendList],
  ])('%s does not know all of them', async (engine, act) => {
    const answer = await act(await aSession(engine));
    expect(answer.status).toBe(501);
    expect(answer.json()).toEqual({
      message: `The method is not implemented by '${engine}' engine.`,
      error: 'Not Implemented',
      statusCode: 501,
    });
  });

  it('0014 presses the second button of a native message', async () => {
    const sent = await sendButtons(await aSession('NOWEB'));
    const { key } = z.object({ key: z.object({ id: z.string() }) }).parse(sent.json());
    expect(await answerOf()).toMatchObject({
      body: 'No',
      replyTo: { id: key.id },
      _data: { message: { buttonsResponseMessage: { selectedButtonId: 'no', contextInfo: { stanzaId: key.id } } } },
    });
  });

  it.each([
    ['buttons', sendButtons],
    ['a list', sendList],
  ])('NOWEB shows nobody that it has sent %s, but for the acks', async (_what, act) => {
    const session = await aSession('NOWEB');
    const { key } = z.object({ key: z.object({ id: z.string() }) }).parse((await act(session)).json());
    await eventually('the acks', () =>
      ['SERVER', 'DEVICE', 'READ'].every((name) =>
        inbox.of('message.ack').some(({ payload }) => payload['ackName'] === name),
      ),
    );
    await answerOf();
    expect(inbox.of('message.any').filter(({ payload }) => payload['fromMe'] === true)).toEqual([]);
    expect((await sandbox.get(`/api/${session}/chats/all/messages/${key.id}`)).status).toBe(404);
    const listed = await sandbox.get(`/api/${session}/chats/${CHOOSER}/messages?filter.fromMe=true`);
    expect(listed.json()).toEqual([]);
    const { sends } = await sandbox.record(session);
    expect(sends).toMatchObject([{ networkId: key.id, reachedNetwork: true }]);
  });

  it('GOWS shows the list that it has sent', async () => {
    const session = await aSession('GOWS');
    await sendList(session);
    await eventually('the echo', () => inbox.of('message.any').find(({ payload }) => payload['fromMe'] === true));
  });

  it('0014 presses the second row of a native list', async () => {
    await sendList(await aSession('GOWS'));
    expect(await answerOf()).toMatchObject({
      body: 'Water',
      _data: { Message: { listResponseMessage: { singleSelectReply: { selectedRowID: 'w' } } } },
    });
  });

  it('0014 answers a numbered text with the number, and any other text with nothing', async () => {
    const session = await aSession('WEBJS');
    await sandbox.sendText(session, CHOOSER, 'Nothing to choose in 2. here');
    await sandbox.sendText(session, CHOOSER, 'Sure?\n\n1. Yes\n2. No');
    expect(await answerOf()).toMatchObject({ body: '2' });
    expect(inbox.of('message')).toHaveLength(1);
  });

  it('a file is recorded by its size and digest', async () => {
    const session = await aSession('NOWEB');
    const bytes = Buffer.alloc(100_000, 'v');
    const file = { mimetype: 'audio/ogg; codecs=opus', data: bytes.toString('base64') };
    expect((await sandbox.post('/api/sendVoice', { session, chatId: CHOOSER, file, convert: true })).status).toBe(201);
    const { sends } = await sandbox.record(session);
    expect(sends[0]).toMatchObject({
      kind: 'voice',
      request: {
        convert: true,
        file: {
          mimetype: file.mimetype,
          sizeBytes: 100_000,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        },
      },
    });
    expect(JSON.stringify(sends).length).toBeLessThan(2_000);
  });

  it('a restricted account tells when it ends', async () => {
    const session = await aSession('GOWS');
    expect((await sandbox.sendText(session, '15550100007@c.us', 'hello')).text).toContain('server returned error 463');
    const { me } = z
      .object({ me: z.object({ reachoutTimelock: z.object({ isActive: z.boolean(), timeEnforcementEnds: z.int() }) }) })
      .parse((await sandbox.get(`/api/sessions/${session}`)).json());
    expect(me.reachoutTimelock.isActive).toBe(true);
    expect(me.reachoutTimelock.timeEnforcementEnds).toBeGreaterThan(Date.now() / 1_000);
  });

  it('members of a group read one after the other', async () => {
    const session = await aSession('NOWEB');
    const sent = await sandbox.sendText(session, '120363000000000000@g.us', 'hello all');
    const { key } = z.object({ key: z.object({ id: z.string() }) }).parse(sent.json());
    for (const reader of ['15550100021', '15550100022']) {
      await sandbox.post(`/sandbox/sessions/${session}/ack`, { id: key.id, ack: 3, reader });
    }
    await eventually('two receipts', () => {
      const told = JSON.stringify(inbox.of('message.ack.group').map(({ payload }) => payload['_data']));
      return told.includes('15550100021@s.whatsapp.net') && told.includes('15550100022@s.whatsapp.net');
    });
  });
});
