import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';

const Key = z.object({ id: z.string(), key: z.string(), session: z.string().nullable(), isActive: z.boolean() });
const OF_SESSION = { isAdmin: false, session: 'mine', isActive: true };

describe('a key that the backend has made for a session', () => {
  let sandbox: ASandbox;
  beforeAll(async () => {
    sandbox = await aSandbox();
    await sandbox.aWorkingSession('mine');
    await sandbox.aWorkingSession('other');
  });
  afterAll(() => sandbox.close());

  async function aKey(wanted: object = OF_SESSION) {
    const made = await sandbox.post('/api/keys', wanted);
    expect(made.status).toBe(201);
    return Key.parse(made.json());
  }

  const statusOf = async (key: string, method: string, path: string, body?: unknown): Promise<number> =>
    (await sandbox.call(method, path, body, { 'x-api-key': key })).status;

  it.each([
    ['GET', '/api/mine/chats', undefined, 200],
    ['GET', '/api/sessions/mine', undefined, 200],
    ['GET', '/api/contacts/all?session=mine', undefined, 200],
    ['POST', '/api/sendText', { session: 'mine', chatId: '1555@c.us', text: 'a' }, 201],
    ['GET', '/api/other/chats', undefined, 403],
    ['GET', '/api/sessions/other', undefined, 403],
    ['GET', '/api/contacts/all?session=other', undefined, 403],
    ['GET', '/api/contacts/all', undefined, 400],
    ['POST', '/api/sendText', { session: 'other', chatId: '1555@c.us', text: 'a' }, 403],
    ['POST', '/api/sendText?session=mine', { session: 'other', chatId: '1555@c.us', text: 'a' }, 403],
    ['DELETE', '/api/sessions/mine', undefined, 403],
    ['POST', '/api/sessions', { name: 'third' }, 403],
    ['GET', '/api/keys', undefined, 403],
    ['POST', '/api/keys', OF_SESSION, 403],
    ['GET', '/api/server/environment', undefined, 403],
    ['GET', '/api/server/version', undefined, 200],
    ['GET', '/sandbox/record', undefined, 403],
  ])('asks %s %s with %j: %s', async (method, path, body, status) => {
    const { key } = await aKey();
    expect(await statusOf(key, method, path, body)).toBe(status);
  });

  it('is shown its own session alone', async () => {
    const { key } = await aKey();
    const list = await sandbox.call('GET', '/api/sessions?all=true', undefined, { 'x-api-key': key });
    expect(list.json()).toEqual([expect.objectContaining({ name: 'mine' })]);
  });

  it('opens nothing once it is switched off or deleted', async () => {
    const off = await aKey();
    expect((await sandbox.call('PUT', `/api/keys/${off.id}`, { ...OF_SESSION, isActive: false })).status).toBe(200);
    const gone = await aKey();
    expect((await sandbox.call('DELETE', `/api/keys/${gone.id}`)).status).toBe(200);
    expect((await sandbox.call('DELETE', `/api/keys/${gone.id}`)).status).toBe(404);
    for (const { key } of [off, gone]) expect(await statusOf(key, 'GET', '/api/mine/chats')).toBe(401);
  });

  it('of media only reads, and is made once', async () => {
    const [one, again] = [0, 1].map(() => sandbox.post('/api/keys/media', { session: 'mine' }));
    const { id, key } = Key.parse((await one)?.json());
    expect(Key.parse((await again)?.json()).id).toBe(id);
    expect(await statusOf(key, 'GET', '/api/mine/chats')).toBe(200);
    expect(await statusOf(key, 'POST', '/api/startTyping', { session: 'mine', chatId: '1555@c.us' })).toBe(403);
  });
});
