import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signWebhook } from '../../../activities/webhooks/signature.ts';
import { attachmentOf, Engine, EngineError, NotReached } from '../../../packages/typescript/src/index.ts';
import type { AnswerFacts } from '../../../packages/typescript/src/index.ts';
import { anAgencyWithScopedKey } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { textsSeenBy } from '../../support/sandbox-record.ts';
import { runReadme } from './readme.ts';

let engine: TestEngine;
let agency: Agency;
let client: Engine;

beforeAll(async () => {
  engine = await startEngine();
  agency = await anAgencyWithScopedKey(engine, { agencyId: 'client', tenantId: 'shop' });
  client = new Engine({ url: engine.url, key: agency.dashboardKey, tenantId: agency.tenantId });
});
afterAll(() => engine.close());

describe('a call', () => {
  it('sends once, however often it is made with one key', async () => {
    const answers: AnswerFacts[] = [];
    const send = () =>
      client.messages.send(
        { to: '+15550109001', text: 'Once.' },
        { idempotencyKey: 'mine', wait: 30, onAnswer: (answer) => answers.push(answer) },
      );
    const first = await send();
    expect(['sent', 'delivered', 'read']).toContain(first.status);
    expect((await send()).messageId).toBe(first.messageId);
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(answers[0]?.requestId).toBe(answers[0]?.headers.get('x-request-id'));
    const delivery = await client.messages.waitFor(first.messageId, 'delivered', { timeoutMs: 30_000 });
    expect(['delivered', 'read', 'played']).toContain(delivery.status);
  });

  it('says of a message that has ended that it will not be delivered', async () => {
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const { messageId } = await client.messages.send({ to: '+15550109002', text: 'Later.', sendAt });
    await client.messages.cancel(messageId);
    const error = await client.messages.waitFor(messageId, 'delivered').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotReached);
    expect(error).toMatchObject({ delivery: { messageId, status: 'cancelled' } });
  });

  it('names the tenant that the client acts for, and another where the call names it', async () => {
    const other = client.for({ tenantId: 'unknown' });
    // A tenant without an account has no chats yet.
    await expect(other.conversations.list()).resolves.toMatchObject({ chats: [], total: 0 });
    const page = await other.conversations.list({ tenantId: agency.tenantId });
    expect(page.chats.length).toBeGreaterThan(0);
  });

  it('brings a file along, as what the network shows of its type', async () => {
    const png = Uint8Array.from([...Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...Buffer.alloc(40_000, 7)]);
    const photo = await attachmentOf(new File([png], 'cat.png', { type: 'image/png' }), { caption: 'Ours' });
    const data = Buffer.from(png).toString('base64');
    expect(photo).toEqual({ kind: 'image', mimeType: 'image/png', fileName: 'cat.png', caption: 'Ours', data });
    const sent = await client.messages.send({ to: '+15550109003', attachments: [photo] }, { wait: 30 });
    expect(sent.messages).toMatchObject([{ kind: 'image' }]);
    expect(['sent', 'delivered', 'read']).toContain(sent.status);
    expect(await attachmentOf(png)).toEqual({ kind: 'document', data });
    expect(await attachmentOf(png.buffer, { mimeType: 'audio/ogg; codecs=opus' })).toMatchObject({ kind: 'audio' });
    expect(await attachmentOf(new Blob(['{}'], { type: 'application/json' }))).toMatchObject({ kind: 'document' });
  });

  it('puts ids into paths as they are', async () => {
    const chat = (await client.conversations.list()).chats[0];
    const id = chat?.conversationId ?? '';
    expect((await client.conversations.read(id)).conversationId).toBe(id);
    await expect(client.conversations.read('a b?c#d')).rejects.toMatchObject({ code: 'not_found' });
    await expect(async () => client.conversations.read('..')).rejects.toThrow('".." is no id');
  });

  it('gives nothing where the engine answers nothing', async () => {
    const memory = await client.memories.create({ category: 'context', fact: 'It closes at six.', source: 'manual' });
    expect(await client.memories.delete(memory.id)).toBeUndefined();
  });
});

describe('a list', () => {
  it('is its first page when it is awaited, and every row when it is iterated', async () => {
    for (const digit of [1, 2, 3, 4, 5]) await client.messages.send({ to: `+1555010910${digit}`, text: 'Hello.' });
    const page = await client.conversations.list({ limit: 2 });
    expect(page).toMatchObject({ hasMore: true, chats: { length: 2 } });
    const ids: string[] = [];
    for await (const { conversationId } of client.conversations.list({ limit: 2 })) ids.push(conversationId);
    expect(ids.length).toBeGreaterThanOrEqual(6);
    expect(new Set(ids).size).toBe(ids.length);
    const sessions: string[] = [];
    for await (const session of client.sessions.list({ limit: 1 })) sessions.push(session.id);
    expect(sessions).toContain(agency.session.id);
  });

  it('throws where its rows are asked for', async () => {
    const rows = new Engine({ url: engine.url, key: 'wrong' }).conversations.list();
    await expect(async () => {
      for await (const _ of rows) break;
    }).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('an error', () => {
  it('says what is wrong in the words of the engine', async () => {
    const error = await client.messages.send({ text: 'To nobody.' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ code: 'recipient_required', status: 422, attempts: 1 });
    expect(error).toHaveProperty('requestId', expect.stringMatching(/.+/));
    expect(error).toHaveProperty('idempotencyKey', expect.stringMatching(/^[0-9a-f]{32}$/));
  });
});

describe('the README', () => {
  it('shows a program that works', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const body = JSON.stringify({ event: 'message', payload: { body: 'Is it blue?' } });
    const headers = signWebhook([secret], {
      eventId: 'evt_1',
      timestamp: Math.floor(Date.now() / 1_000),
      body: Buffer.from(body),
    });
    const posted = `new Request('http://receiver', ${JSON.stringify({ method: 'POST', body, headers })})`;
    const more = `
      console.log((await receive(${posted}, '${secret}')).status);
      console.log((await receive(${posted}, 'another secret of many characters')).status);`;
    const printed = await runReadme({ ENGINE_URL: engine.url, ENGINE_KEY: agency.dashboardKey }, more);
    expect(printed).toMatch(/^(delivered|read|played)\ncnv_/);
    expect(printed).toContain("pointer: '/to'");
    expect(printed).toMatch(/^(sent|delivered|read)$/m);
    expect(printed).toMatch(/^Thanks (running|completed)$/m);
    await eventually(async () => {
      const heard = await textsSeenBy(engine, agency.session.name, '15550100021@c.us');
      return heard.includes('Thank you for the blue one!');
    });
    expect(printed).toMatch(/^message\.ack \{/m);
    expect(printed).toMatch(/^continue after \S+$/m);
    expect(printed).toMatch(/^Is it blue\?\n204\n401\n$/m);
  });
});
