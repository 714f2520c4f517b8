import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ask, startDemo } from '../route/framework-app.ts';
import type { Demo } from '../route/framework-app.ts';
import { startBackend } from './framework-backend.ts';
import type { FakeBackend } from './framework-backend.ts';

let backend: FakeBackend;
let demo: Demo;
beforeAll(async () => {
  backend = await startBackend((url, response) => {
    if (url.includes('/closed/')) return void response.writeHead(403).end('{}');
    if (url.includes('nowhere') || url.includes('nobody')) {
      response.writeHead(404, { 'content-type': 'application/json' });
      const message = url.includes('nowhere') ? `Cannot GET ${url}` : 'There is no such chat.';
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
const asked = async () =>
  Promise.all(backend.requests.map(async ({ method, url, body }) => [method, url, await body] as const));

describe('a path of several segments whose first word is new', () => {
  test.each([
    ['GET', '/api/novelties/list', '/api/novelties/list?session=wa_acme_t1', ''],
    ['HEAD', '/api/v1/novelties/list?session=ses_1&limit=2', '/api/novelties/list?session=wa_acme_t1&limit=2', ''],
    ['POST', '/api/v1/novelties/of/49170%40c.us', '/api/novelties/of/49170@c.us', '{"session":"wa_acme_t1"}'],
  ])('passes with the own session: %s %s', async (method, path, url, body) => {
    const answer = await ask(demo, method, path, { ...SESSION, ...(method === 'POST' ? { body: {} } : {}) });
    expect(answer.status).toBe(200);
    expect(await asked()).toEqual([[method, url, body]]);
    expect(demo.proxied[0]?.route).toMatch(/^\/api\/(v1\/)?novelties\/(list|of\/{…})$/);
  });

  test("needs a session in the query or the body with a dashboard's key", async () => {
    expect((await ask(demo, 'GET', '/api/novelties/list?session=ses_1', DASHBOARD)).status).toBe(200);
    const refused = await ask(demo, 'GET', '/api/novelties/list?tenantId=t1', DASHBOARD);
    expect(refused).toMatchObject({ status: 404, body: { detail: expect.stringContaining('name it as `session`') } });
    expect(backend.requests).toHaveLength(1);
  });

  test.each(['globexphone', 'nowhere', 'closed', 'wa_globex_t1', 'no-session-1', 'ses_1/nowhere'])(
    'is refused alike where it is the session of others, no route of the backend, or neither: %s',
    async (word) => {
      for (const [who, session] of [
        [SESSION, ''],
        [SESSION, '?session=ses_1'],
        [DASHBOARD, '?session=ses_1'],
      ] as const) {
        const answer = await ask(demo, 'GET', `/api/${word}/list${session}`, who);
        expect(answer).toMatchObject({ status: 404, body: { code: 'unknown_route' } });
        expect(answer.body).toMatchObject({
          detail: expect.stringMatching(/^Either .* or the backend has no such route/),
        });
        const head = await ask(demo, 'HEAD', `/api/${word}/list${session}`, who);
        expect([head.status, head.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
      }
      if (!word.startsWith('ses_1')) expect(demo.proxied).toEqual([]);
    },
  );

  test('makes one series of the metrics, whatever words are asked for', async () => {
    for (const word of ['alpha', 'beta', 'gamma', 'delta', 'globexphone', 'nowhere']) {
      for (const who of [{}, SESSION, { key: 'of-nobody' }]) await ask(demo, 'GET', `/api/${word}/list`, who);
    }
    const text = await demo.metrics.registry.metrics();
    expect(text.split('\n').filter((line) => /alpha|beta|gamma|delta|globexphone|nowhere/.test(line))).toEqual([]);
    expect(text).toContain('route="/api/{…}"');
  });

  test('never passes with another session, or as a known path of the backend', async () => {
    for (const path of [
      '/api/novelties/list?session=ses_2',
      '/api/novelties/contacts/49170@c.us',
      '/api/novelties/server',
    ]) {
      expect((await ask(demo, 'GET', path, SESSION)).status).toBe(404);
    }
    expect(backend.requests).toEqual([]);
  });

  test.each(['/api/ses_1/novelties/list', '/api/contacts/novelties'])('passes as %s', async (path) => {
    expect((await ask(demo, 'GET', path, SESSION)).status).toBe(200);
    expect(backend.requests).toHaveLength(1);
  });

  test.each(['/api/v1/inbox/novelties', '/api/server/novelties', '/novelties'])(
    '%s gets no such advice, because a session in it would not help',
    async (path) => {
      const { status, body } = await ask(demo, 'GET', path, SESSION);
      expect(status).toBe(404);
      expect(body).toMatchObject({ detail: expect.not.stringContaining('Begin with your session') });
    },
  );
});
