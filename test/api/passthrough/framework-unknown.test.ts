import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ask, MASTER_KEY, startDemo } from '../route/framework-app.ts';
import type { Demo } from '../route/framework-app.ts';
import { startBackend } from './framework-backend.ts';
import type { FakeBackend } from './framework-backend.ts';

let backend: FakeBackend;
let demo: Demo;
beforeAll(async () => {
  backend = await startBackend((url, response) => {
    if (url.includes('nowhere') || url.includes('nobody')) {
      response.writeHead(404, { 'content-type': 'application/json' });
      const message = url.includes('nowhere') ? `Cannot GET ${url}` : 'There is no such chat.';
      return void response.end(JSON.stringify({ statusCode: 404, message }));
    }
    const isBroken = url.includes('broken');
    response.writeHead(isBroken ? 500 : 200, { 'content-type': 'application/json' });
    response.end(
      isBroken
        ? JSON.stringify({
            statusCode: 500,
            exception: {
              message: 'Cannot read /app/src/core/session.js of undefined',
              stack: 'TypeError: x\n    at send (/app/dist/core/session.js:12:3)',
            },
            version: { version: '2026.9' },
          })
        : '{"new":true}',
    );
  });
  demo = await startDemo({ backendUrl: backend.url });
});
afterAll(async () => {
  await demo.close();
  await backend.close();
});
beforeEach(() => {
  backend.requests.length = 0;
  demo.proxied.length = 0;
});

const SESSION = { key: 'session-of-acme-t1' };
const DASHBOARD = { key: 'dashboard-of-acme' };
const FOREIGN = { key: 'dashboard-of-globex' };
const asked = async () =>
  Promise.all(backend.requests.map(async ({ method, url, body }) => [method, url, await body] as const));

const NO_PREVIEW = { linkPreview: false, linkPreviewHighQuality: false };

describe('a route of a newer backend, which no table knows', () => {
  test.each([
    ['GET', '/api/sessions/ses_1/capping', '/api/sessions/wa_acme_t1/capping'],
    ['GET', '/api/v1/sessions/wa_acme_t1/timelock', '/api/sessions/wa_acme_t1/timelock'],
    ['HEAD', '/api/v1/sessions/default/capping?tenantId=t1', '/api/sessions/wa_acme_t1/capping'],
    ['GET', '/api/v1/ses_1/newsletters/of/49170%40c.us?limit=5', '/api/wa_acme_t1/newsletters/of/49170@c.us?limit=5'],
    ['GET', '/api/v1/contacts/wealth?depth=2', '/api/contacts/wealth?session=wa_acme_t1&depth=2'],
    ['GET', '/api/newThing?session=ses_1', '/api/newThing?session=wa_acme_t1'],
  ])('%s %s passes with the own session', async (method, path, url) => {
    for (const who of [SESSION, DASHBOARD]) {
      backend.requests.length = 0;
      const named = who === DASHBOARD && path.includes('wealth') ? `${path}&session=ses_1` : path;
      expect((await ask(demo, method, named, who)).status).toBe(200);
      expect(await asked()).toEqual([[method, url, '']]);
      expect(backend.requests[0]?.headers['x-api-key']).toBe('key-of-the-backend');
    }
    expect(demo.proxied).toHaveLength(2);
    expect(demo.proxied[0]?.route).not.toMatch(/49170|ses_1|wa_acme/);
  });

  test('is an unknown route of the engine where the backend has none, either', async () => {
    const answer = await ask(demo, 'GET', '/api/v1/nowhere', SESSION);
    expect(answer).toMatchObject({ status: 404, body: { code: 'unknown_route', detail: expect.any(String) } });
    expect(JSON.stringify(answer.body)).not.toContain('wa_acme_t1');
    const known = await ask(demo, 'GET', '/api/v1/contacts/nobody', SESSION);
    expect(known).toMatchObject({ status: 404, body: { message: 'There is no such chat.' } });
  });

  test('passes a change with the own session in its body', async () => {
    const body = { chatId: '49170@c.us', text: 'open 24/7, prices in 1.5 lines', data: 'iVBORw//0KGgo=' };
    expect((await ask(demo, 'POST', '/api/v1/sendPoem', { ...SESSION, body })).status).toBe(200);
    expect((await ask(demo, 'DELETE', '/api/ses_1/poems/7', SESSION)).status).toBe(200);
    expect(await asked()).toEqual([
      ['POST', '/api/sendPoem', JSON.stringify({ session: 'wa_acme_t1', ...body, ...NO_PREVIEW })],
      ['DELETE', '/api/wa_acme_t1/poems/7', ''],
    ]);
  });

  test.each([
    ['GET', '/api/v1/sessions/{}/capping'],
    ['GET', '/api/v1/{}/newsletters/of/1'],
    ['GET', '/api/newThing?session={}'],
    ['GET', '/api/contacts/wealth?session={}'],
  ])('%s %s is the same for a session of others and for none', async (method, path) => {
    for (const who of [SESSION, DASHBOARD]) {
      const [theirs, nobodys] = [
        await ask(demo, method, path.replace('{}', 'wa_globex_t1'), who),
        await ask(demo, method, path.replace('{}', 'wa_nobody_t1'), who),
      ];
      expect([theirs.status, nobodys.status]).toEqual([404, 404]);
      expect(theirs.body).toMatchObject({ code: 'unknown_route' });
      expect({ ...Object(theirs.body), requestId: '' }).toEqual({ ...Object(nobodys.body), requestId: '' });
    }
    expect((await ask(demo, method, path.replace('{}', 'wa_globex_t1'), FOREIGN)).status).toBe(200);
    expect(backend.requests).toHaveLength(1);
  });

  test.each([
    ['GET', '/api/server/newInfo'],
    ['GET', '/api/SERVER/version'],
    ['GET', '/api/Sessions'],
    ['GET', '/api/keys/ses_1/list'],
    ['GET', '/api/ses_1/keys'],
    ['GET', '/api/sessions/ses_1/config'],
    ['GET', '/api/sessions/ses_1/webhooks'],
    ['GET', '/api/apps/ses_1'],
    ['GET', '/api/v2/server/info'],
    ['DELETE', '/api/Sessions/ses_1'],
    ['POST', '/api/workers'],
    ['GET', '/api/admin/things2'],
    ['GET', '/api/debug/ses_1'],
    ['GET', '/api/ses_1/environment'],
  ])('%s %s is server administration and never passes', async (method, path) => {
    const answer = await ask(demo, method, path, SESSION);
    expect([403, 404, 405]).toContain(answer.status);
    expect(backend.requests).toEqual([]);
  });

  test.each([
    { url: 'http://10.0.0.5/a' },
    { file: { link: 'x' } },
    { a: [{ b: 'https://files.example/a.png' }] },
    { media: '//files.example/a' },
    { text: 'look http://169.254.169.254/latest' },
    { lines: ['one', { said: 'see https://shop.example' }] },
    { text: 'look //10.0.0.5/a' },
    { text: 'look at www.shop.example' },
    { text: 'it is 10.0.0.5' },
    { text: 'Hello', linkPreview: true },
    { text: 'Hello', linkPreviewHighQuality: true },
    { options: { previewType: 'large' } },
    { webhooks: [] },
    { SESSION: 'wa_globex_t1' },
  ])('refuses %j, which the backend might fetch or read otherwise', async (body) => {
    expect((await ask(demo, 'POST', '/api/sendPoem', { ...SESSION, body })).status).toBe(422);
    expect(backend.requests).toEqual([]);
  });

  test.each([
    'Session=wa_globex_t1',
    'session%5B%5D=wa_globex_t1',
    'url=http://10.0.0.5',
    'a=http://10.0.0.5/',
    'a=see+http://10.0.0.5/',
    'linkPreview=true',
    'proxy=1',
  ])('refuses the query %s', async (query) => {
    const answer = await ask(demo, 'GET', `/api/sessions/ses_1/capping?${query}`, SESSION);
    expect([400, 422]).toContain(answer.status);
    expect(backend.requests).toEqual([]);
  });

  test('takes a key, and is unknown with the master key and where a dashboard names no session', async () => {
    expect((await ask(demo, 'GET', '/api/sessions/ses_1/capping')).status).toBe(401);
    const master = await ask(demo, 'GET', '/api/sessions/ses_1/capping', { key: MASTER_KEY });
    expect(master.body).toMatchObject({ code: 'unknown_route' });
    expect((await ask(demo, 'GET', '/api/newThing', DASHBOARD)).body).toMatchObject({ code: 'unknown_route' });
    expect(backend.requests).toEqual([]);
  });
});

describe('the routes of the table under /api/v1', () => {
  test('come after the native routes and not after their first words', async () => {
    expect((await ask(demo, 'GET', '/api/v1/sessions/ses_1/me', SESSION)).status).toBe(200);
    expect((await ask(demo, 'GET', '/api/v1/files/ses_1/a.jpg', SESSION)).status).toBe(200);
    expect((await asked()).map(([, url]) => url)).toEqual([
      '/api/sessions/wa_acme_t1/me',
      '/api/files/wa_acme_t1/a.jpg',
    ]);
  });
});

describe('an error of the backend', () => {
  test.each([
    ['GET', '/api/ses_1/chats/broken/messages'],
    ['GET', '/api/sessions/ses_1/broken'],
    ['POST', '/api/ses_1/presence/broken/subscribe'],
  ])('%s %s keeps its content, without stack traces and paths', async (method, path) => {
    const answer = await ask(demo, method, path, SESSION);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      statusCode: 500,
      exception: { message: 'Cannot read [path] of undefined' },
      version: { version: '2026.9' },
    });
  });
});
