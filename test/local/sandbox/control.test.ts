import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';

const Part = z.object({
  sends: z.array(z.looseObject({ body: z.string().nullable() })).optional(),
  calls: z.array(z.looseObject({ path: z.string() })).optional(),
});

describe('the control routes of the sandbox', () => {
  let sandbox: ASandbox;
  beforeAll(async () => {
    sandbox = await aSandbox();
    await sandbox.aWorkingSession('shop');
    for (const text of ['one', 'two', 'three']) await sandbox.sendText('shop', '15550100123@c.us', text);
  });
  afterAll(() => sandbox.close());

  it('record gives the part and the number that somebody asks for, the newest last', async () => {
    const read = async (query: string) =>
      Part.parse((await sandbox.get(`/sandbox/record?session=shop${query}`)).json());
    const { sends, calls, ...rest } = await read('&part=sends&limit=2');
    expect({ calls, rest }).toEqual({ calls: undefined, rest: {} });
    expect(sends?.map(({ body }) => body)).toEqual(['two', 'three']);
    const onlyCalls = await read('&part=calls&limit=1');
    expect(onlyCalls.sends).toBeUndefined();
    expect(onlyCalls.calls).toMatchObject([{ path: '/api/sendText' }]);
    expect((await read('')).sends).toHaveLength(3);
    expect((await read('&limit=1')).sends?.map(({ body }) => body)).toEqual(['three']);
    for (const wrong of ['part=all', 'limit=0', 'limit=x']) {
      expect([wrong, (await sandbox.get(`/sandbox/record?${wrong}`)).status]).toEqual([wrong, 400]);
    }
  });

  it('a caller who names a session by its id learns how sessions are named here', async () => {
    const words = /There is no session .*ses_1.*by their names.*ses_….*shop/;
    const inbound = await sandbox.post('/sandbox/sessions/ses_1/inbound', { from: '15550100123', text: 'Hi' });
    const record = await sandbox.get('/sandbox/record?session=ses_1');
    const qr = await sandbox.get('/sandbox/sessions/ses_1/qr');
    for (const refused of [inbound, record, qr]) {
      expect(refused.status).toBe(404);
      expect(refused.text).toMatch(words);
    }
    // The backend's own routes say what the real backend says.
    expect((await sandbox.get('/api/sessions/ses_1')).json()).toMatchObject({ message: 'Session not found' });
  });

  it('a caller can read the record of a session that was deleted', async () => {
    await sandbox.aWorkingSession('gone');
    await sandbox.sendText('gone', '15550100123@c.us', 'Bye');
    await sandbox.call('DELETE', '/api/sessions/gone');
    expect((await sandbox.record('gone')).sends).toMatchObject([{ body: 'Bye' }]);
  });

  it('a caller who names a session that the backend has lost learns that it comes back', async () => {
    await sandbox.aWorkingSession('lost');
    await sandbox.post('/sandbox/sessions/lost/lose');
    const refused = await sandbox.post('/sandbox/sessions/lost/inbound', { from: '15550100123', text: 'Hi' });
    expect(refused.status).toBe(404);
    expect(refused.text).toContain('until the engine has made it again');
  });

  it('a caller without the right key learns where the key is', async () => {
    const refused = await sandbox.call('GET', '/sandbox/record', undefined, { 'x-api-key': 'wrong' });
    expect(refused.status).toBe(401);
    expect(refused.text).toMatch(/X-Api-Key.*\.\/engine env/);
  });

  it('a caller who misspells a field learns which one is missing and which one nobody reads', async () => {
    const refused = await sandbox.post('/sandbox/sessions/shop/inbound', { form: '15550100123', text: 'Hi' });
    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({
      message: [
        'from is missing.',
        expect.stringMatching(/^form is not a field of this request, which has: from, text, /),
      ],
    });
    const missing = await sandbox.post('/sandbox/sessions/shop/inbound', { text: 'Hi' });
    expect(missing.json()).toMatchObject({ message: ['from is missing.'] });
    const wrong = await sandbox.post('/sandbox/sessions/shop/inbound', { from: '15550100123', text: 5 });
    expect(wrong.text).toContain('text: Invalid input: expected string');
  });

  it('a caller learns of a field that nobody reads, also where none is missing', async () => {
    const body = { route: 'sendText', kind: 'status500' };
    const refused = await sandbox.post('/sandbox/faults', { ...body, cont: 2 });
    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({
      message: [expect.stringMatching(/^cont is not a field of this request, which has: route, kind, count, /)],
    });
    expect((await sandbox.get('/sandbox/faults')).json()).toEqual({ faults: [] });
    const person = { from: '15550100123' };
    const refusals: [path: string, body: object, words: string][] = [
      ['sessions/shop/inbound', { ...person, txt: 'Hi' }, 'txt is not a field of this request'],
      ['sessions/shop/inbound', { ...person, media: { mimetype: 'image/png', dta: '' } }, 'dta'],
      ['sessions/shop/history', { chats: 2 }, 'chats is not a field of this request, which has none.'],
      ['llm/script', { replies: [], replys: [] }, 'replys is not a field of this request, which has: replies.'],
    ];
    for (const [path, wrong, words] of refusals) {
      const answer = await sandbox.post(`/sandbox/${path}`, wrong);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.text).toContain(words);
    }
  });

  it('a caller learns of a parameter that nobody reads, before anything is read or ended', async () => {
    const refused = await sandbox.get('/sandbox/record?session=shop&limt=1');
    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({
      message: ['limt is not a parameter of this request, which has: session, part, limit.'],
    });
    const all = (await sandbox.record('shop')).sends.length;
    for (const [method, path] of [
      ['DELETE', '/sandbox/record?session=shop'],
      ['DELETE', '/sandbox/faults?session=shop'],
      ['GET', '/sandbox/faults?session=shop'],
      ['GET', '/sandbox/view?sesion=shop'],
    ] as const) {
      expect([method, path, (await sandbox.call(method, path)).status]).toEqual([method, path, 400]);
    }
    expect((await sandbox.record('shop')).sends).toHaveLength(all);
    // The key may stand in the query.
    const keyed = await sandbox.call('GET', '/sandbox/record?x-api-key=key-of-the-test&limit=1', undefined, {});
    expect(keyed.status).toBe(200);
  });
});
