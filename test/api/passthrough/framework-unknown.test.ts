import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ask, MASTER_KEY, startDemo } from '../route/framework-app.ts';
import type { Demo } from '../route/framework-app.ts';
import { startBackend } from './framework-backend.ts';
import type { FakeBackend } from './framework-backend.ts';

let backend: FakeBackend;
let demo: Demo;
beforeAll(async () => {
  backend = await startBackend((url, response, method) => {
    if (url.includes('nowhere') || url.includes('nobody')) {
      response.writeHead(404, { 'content-type': 'application/json' });
      const message = url.includes('nowhere') ? `Cannot ${method} ${url}` : 'There is no such chat.';
      return void response.end(JSON.stringify({ statusCode: 404, message }));
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"new":true}');
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
    { imageUrl: 'shop' },
    { avatar_url: 'shop' },
    { text: 'http:localhost:3000/api/keys' },
    { text: 'https:/metadata.internal/' },
    { text: String.raw`\\backend\api` },
    { text: 'localhost:3000' },
    { text: '[::1]:3000' },
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
    Array.from({ length: 40 }, (_, i) => `a${i}=1`).join('&'),
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

describe('a path that the table knows by other methods', () => {
  test.each([
    ['GET', '/api/ses_1/chats/49170%40c.us/archive', '/api/wa_acme_t1/chats/49170@c.us/archive'],
    ['HEAD', '/api/v1/default/chats/1/unread', '/api/wa_acme_t1/chats/1/unread'],
    ['GET', '/api/startTyping?chatId=1', '/api/startTyping?session=wa_acme_t1&chatId=1'],
    ['GET', '/api/contacts/block?limit=1', '/api/contacts/block?session=wa_acme_t1&limit=1'],
    ['GET', '/api/ses_1/groups/1/leave', '/api/wa_acme_t1/groups/1/leave'],
    ['POST', '/api/ses_1/chats', '/api/wa_acme_t1/chats'],
    ['POST', '/api/v1/ses_1/chats', '/api/wa_acme_t1/chats'],
    ['PUT', '/api/ses_1/labels', '/api/wa_acme_t1/labels'],
    ['PUT', '/api/ses_1/chats/1/archive', '/api/wa_acme_t1/chats/1/archive'],
    ['PATCH', '/api/ses_1/groups/1', '/api/wa_acme_t1/groups/1'],
    ['DELETE', '/api/ses_1/contacts/1', '/api/wa_acme_t1/contacts/1'],
  ])('is passed on by %s %s for the own session', async (method, path, url) => {
    expect((await ask(demo, method, path, SESSION)).status).toBe(200);
    expect(await asked()).toEqual([[method, url, '']]);
  });

  test.each([
    ['DELETE', '/api/startTyping', undefined],
    ['POST', '/api/contacts/all', { limit: 5 }],
  ])('%s %s gets the own session in its body', async (method, path, body) => {
    expect((await ask(demo, method, path, { ...SESSION, body })).status).toBe(200);
    const [[, url, sent] = []] = await asked();
    expect(url).toBe(path);
    expect(JSON.parse(sent ?? '')).toEqual({ session: 'wa_acme_t1', ...body });
  });

  test('carries no preview where the known method would not, and its ids stay out of the log', async () => {
    const body = { text: 'Hello' };
    expect((await ask(demo, 'PUT', '/api/ses_1/status/text', { ...SESSION, body })).status).toBe(200);
    expect((await ask(demo, 'POST', '/api/ses_1/contacts/Alice', SESSION)).status).toBe(200);
    const [[, , sent] = []] = await asked();
    expect(JSON.parse(sent ?? '')).toMatchObject({ ...body, ...NO_PREVIEW });
    expect(demo.proxied.map(({ route }) => route)).not.toEqual(
      expect.arrayContaining([expect.stringMatching('Alice')]),
    );
    expect(demo.proxied).toHaveLength(2);
  });

  test.each([
    ['POST', '/api/ses_1/chats/nowhere', 'DELETE'],
    ['PATCH', '/api/v1/ses_1/groups/nowhere/picture', 'DELETE, GET, PUT'],
  ])('is answered with its methods where the backend lacks %s %s, too', async (method, path, allowed) => {
    const answer = await ask(demo, method, path, SESSION);
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toBe(allowed);
  });

  test.each(['/api/{}/chats/1/archive', '/api/startTyping?session={}', '/api/{}/groups/1/leave'])(
    '%s is the same for a session of others and for none',
    async (path) => {
      for (const who of [SESSION, DASHBOARD]) {
        const [theirs, nobodys] = [
          await ask(demo, 'GET', path.replace('{}', 'wa_globex_t1'), who),
          await ask(demo, 'GET', path.replace('{}', 'wa_nobody_t1'), who),
        ];
        expect(theirs.status).toBe(nobodys.status);
        expect([404, 405]).toContain(theirs.status);
        expect({ ...Object(theirs.body), requestId: '' }).toEqual({ ...Object(nobodys.body), requestId: '' });
      }
      expect(backend.requests).toEqual([]);
    },
  );

  test.each([
    // Sends and actions, which would go round the queue and the opt-outs.
    ['PUT', '/api/sendText'],
    ['PATCH', '/api/sendImage'],
    ['POST', '/api/reaction'],
    ['POST', '/api/ses_1/chats/1/messages/1'],
    ['PATCH', '/api/ses_1/chats/1/messages/1'],
    ['GET', '/api/sendImage'],
    ['HEAD', '/api/sendImage'],
    ['GET', '/api/sendText'],
    ['GET', '/api/send/buttons/reply'],
    ['GET', '/api/ses_1/events'],
    ['GET', '/api/SENDTEXT'],
    ['GET', '/api/sendimage'],
    // Routes of the session's supervisor, or of the dashboard.
    ['GET', '/api/sessions/ses_1/start'],
    ['GET', '/api/sessions/ses_1/stop'],
    ['GET', '/api/sessions/ses_1/LOGOUT'],
    ['PATCH', '/api/sessions/ses_1'],
    ['DELETE', '/api/sessions/ses_1/start'],
    // Routes that the table closes, or names by other letters.
    ['GET', '/api/sessions/start'],
    ['HEAD', '/api/sessions/STOP'],
    ['GET', '/api/sendLinkPreview'],
    ['GET', '/api/SendLinkPreview'],
    ['GET', '/api/StartTyping'],
    ['GET', '/api/ses_1/CHATS'],
    ['POST', '/api/ses_1/CHATS'],
    ['PUT', '/api/keys'],
    ['GET', '/api/ses_1/chats/1/ARCHIVE'],
  ])('is not passed on by %s %s if it is closed', async (method, path) => {
    for (const who of [SESSION, DASHBOARD]) {
      expect([403, 404, 405, 422]).toContain((await ask(demo, method, path, who)).status);
    }
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

describe('the scopes of a route that no table knows', () => {
  const WITHOUT_PASSTHROUGH = { key: 'session-of-acme-t1-without-passthrough' };
  const WITHOUT_SEND = { key: 'session-of-acme-t1-without-send' };

  test.each([
    ['GET', '/api/sessions/ses_1/capping'],
    ['HEAD', '/api/newThing'],
    ['POST', '/api/v1/sendPoem'],
    ['PUT', '/api/ses_1/poems/7'],
    ['PATCH', '/api/ses_1/poems/7'],
    ['DELETE', '/api/ses_1/poems/7'],
    ['POST', '/api/ses_1/chats'],
  ])('%s %s needs passthrough, whatever else the key may do', async (method, path) => {
    const refused = await ask(demo, method, path, WITHOUT_PASSTHROUGH);
    expect(refused.status).toBe(403);
    if (method !== 'HEAD') expect(refused.body).toMatchObject({ detail: expect.stringContaining('passthrough') });
    expect(backend.requests).toEqual([]);
    expect((await ask(demo, method, path, SESSION)).status).toBe(200);
  });

  test.each([
    ['GET', '/api/sendPoem'],
    ['POST', '/api/newThing'],
    ['PUT', '/api/ses_1/poems/7'],
    ['DELETE', '/api/ses_1/poems/7'],
    ['POST', '/api/ses_1/chats'],
    ['PUT', '/api/ses_1/chats/1/archive'],
  ])('%s %s sends or changes, so it needs send, too', async (method, path) => {
    const refused = await ask(demo, method, path, WITHOUT_SEND);
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('send') } });
    expect((await ask(demo, 'GET', '/api/newThing', WITHOUT_SEND)).status).toBe(200);
    expect((await asked()).map(([, url]) => url)).toEqual(['/api/newThing?session=wa_acme_t1']);
  });
});

describe('a backend that makes no keys for single sessions', () => {
  let keyless: Demo;
  beforeAll(async () => {
    keyless = await startDemo({ backendUrl: backend.url, hasOwnKeys: false });
  });
  afterAll(() => keyless.close());

  test.each([
    ['GET', '/api/sessions/ses_1/capping'],
    ['HEAD', '/api/newThing'],
    ['GET', '/api/ses_1/chats/1/archive'],
    ['POST', '/api/ses_1/chats'],
    ['POST', '/api/v1/sendPoem'],
    ['PUT', '/api/ses_1/poems/7'],
    ['DELETE', '/api/ses_1/poems/7'],
  ])('gets no %s %s, because nothing but its key would keep that within the session', async (method, path) => {
    expect((await ask(keyless, method, path, SESSION)).status).toBe(403);
    expect(backend.requests).toEqual([]);
  });

  test('gets the routes that the table knows, and nobody learns whose sessions there are', async () => {
    expect((await ask(keyless, 'GET', '/api/sessions/ses_1/me', SESSION)).status).toBe(200);
    const foreign = await ask(keyless, 'GET', '/api/sessions/wa_globex_t1/capping', SESSION);
    const nobodys = await ask(keyless, 'GET', '/api/sessions/wa_nobody_t1/capping', SESSION);
    const words = await Promise.all(
      ['globexphone', 'novelties'].map(async (word) => ask(keyless, 'GET', `/api/${word}/list`, SESSION)),
    );
    expect([foreign, nobodys, ...words].map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(backend.requests).toHaveLength(1);
  });
});

describe('an error of the backend', () => {
  const CONTENT = {
    statusCode: 500,
    exception: {
      message: 'Cannot read /app/src/core/session.js of undefined',
      stack: 'TypeError: x\n    at send (/app/dist/core/session.js:12:3)',
    },
    version: { version: '2026.9' },
  };
  let broken: FakeBackend;
  let ofBroken: Demo;
  beforeAll(async () => {
    broken = await startBackend((_, response) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(CONTENT));
    });
    ofBroken = await startDemo({ backendUrl: broken.url });
  });
  afterAll(async () => {
    await ofBroken.close();
    await broken.close();
  });

  const message = { session: 'ses_1', chatId: '49170@c.us', text: 'Hello' };
  test.each([
    // Their answers stream.
    ['GET', '/api/ses_1/chats/1/messages', undefined],
    ['GET', '/api/sessions/ses_1/capping', undefined],
    ['POST', '/api/ses_1/presence/1/subscribe', undefined],
    ['POST', '/api/v1/sendPoem', message],
    // Their answers are read as a whole.
    ['GET', '/api/sessions/ses_1', undefined],
    ['POST', '/api/sessions/ses_1/restart', undefined],
    ['POST', '/api/sendText', message],
    ['POST', '/api/v1/sendPoll', { ...message, poll: { name: 'Tea?', options: ['Yes'] } }],
    ['POST', '/api/ses_1/events', { chatId: '49170@c.us', event: { name: 'The fair', startTime: 1 } }],
  ])('to %s %s keeps its content and nothing else, without stack traces and paths', async (method, path, body) => {
    const answer = await ask(ofBroken, method, path, { ...SESSION, ...(body === undefined ? {} : { body }) });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      statusCode: 500,
      exception: { message: 'Cannot read [path] of undefined' },
      version: { version: '2026.9' },
    });
  });
});
