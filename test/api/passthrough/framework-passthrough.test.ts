import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ask, startDemo } from '../route/framework-app.ts';
import { MASTER_KEY } from '../route/framework-app.ts';
import type { Demo } from '../route/framework-app.ts';
import { BACKEND_ROUTES } from '../../../api/passthrough/table/table.ts';
import { eventually } from '../../support/eventually.ts';
import { startBackend } from './framework-backend.ts';
import type { FakeBackend } from './framework-backend.ts';

let backend: FakeBackend;
let demo: Demo;
beforeAll(async () => {
  backend = await startBackend();
  demo = await startDemo({ backendUrl: `${backend.url}/base/` });
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

describe('a read of the own session', () => {
  test.each([
    ['/api/v1/ses_1/chats?limit=5', '/base/api/wa_acme_t1/chats?limit=5'],
    ['/api/v1/wa_acme_t1/chats/49170%40c.us/messages', '/base/api/wa_acme_t1/chats/49170@c.us/messages'],
    ['/api/v1/ses_1/lids/pn/%2B49170', '/base/api/wa_acme_t1/lids/pn/%2B49170'],
    ['/api/v1/ses_1/groups/a%20b%3Fc', '/base/api/wa_acme_t1/groups/a%20b%3Fc'],
    ['/api/v1/ses_1/profile', '/base/api/wa_acme_t1/profile'],
    ['/api/v1/contacts/all?limit=2', '/base/api/contacts/all?session=wa_acme_t1&limit=2'],
    ['/api/v1/contacts?contactId=1&session=ses_1', '/base/api/contacts?session=wa_acme_t1&contactId=1'],
    ['/api/wa_acme_t1/chats', '/base/api/wa_acme_t1/chats'],
    ['/api/default/groups', '/base/api/wa_acme_t1/groups'],
    ['/api/contacts/all?session=default', '/base/api/contacts/all?session=wa_acme_t1'],
    ['/api/messages?chatId=1&limit=2', '/base/api/messages?session=wa_acme_t1&chatId=1&limit=2'],
    ['/api/files/default/a.jpg', '/base/api/files/wa_acme_t1/a.jpg'],
    ['/api/ses_1/channels/search/views', '/base/api/wa_acme_t1/channels/search/views'],
  ])('%s reaches the backend as %s', async (path, url) => {
    expect(await ask(demo, 'GET', path, SESSION)).toMatchObject({ status: 200, body: [] });
    expect(backend.requests.map((request) => request.url)).toEqual([url]);
  });

  test("carries the backend's key and none of the client's headers", async () => {
    const headers = {
      authorization: 'Bearer x',
      cookie: 'a=b',
      'x-forwarded-for': '10.0.0.1',
      accept: 'application/json',
    };
    await ask(demo, 'GET', '/api/v1/ses_1/labels', { ...SESSION, headers });
    expect(backend.requests[0]?.headers).toEqual({
      host: new URL(backend.url).host,
      connection: expect.any(String),
      accept: 'application/json',
      'accept-language': '*',
      'user-agent': 'messaging-automation-engine',
      'x-api-key': 'key-of-the-backend',
    });
  });

  test.each([
    'x-api-key',
    'X_API_KEY',
    'api_key',
    'apikey',
    'session[]',
    'Session',
    'session[0]',
    '[session]',
    ' session',
    'a',
    '__proto__',
    'limit[]',
  ])('is refused with %s in the query, which the backend might read as another session or key', async (name) => {
    const path = `/api/v1/contacts/all?${encodeURIComponent(name)}=wa_globex_t1`;
    expect(await ask(demo, 'GET', path, SESSION)).toMatchObject({ status: 400, body: { code: 'bad_request_target' } });
    expect(backend.requests).toEqual([]);
  });

  test.each(['a=&'.repeat(500), 'limit=1&'.repeat(200)])(
    'is refused with so many parameters that the session would be read no more: %s',
    async (query) => {
      const answer = await ask(demo, 'GET', `/api/v1/contacts/all?${query}`, SESSION);
      expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request_target' } });
      expect(backend.requests).toEqual([]);
    },
  );

  test('takes the tenant of a dashboard from the query and does not pass it on', async () => {
    await ask(demo, 'GET', '/api/v1/contacts/about?agencyId=acme&tenantId=t1&contactId=7', DASHBOARD);
    expect(backend.requests[0]?.url).toBe('/base/api/contacts/about?session=wa_acme_t1&contactId=7');
    const without = await ask(demo, 'GET', '/api/v1/contacts/all', DASHBOARD);
    expect(without).toMatchObject({ status: 422, body: { errors: [{ pointer: 'query/tenantId' }] } });
  });

  test('is recorded without what names a person', async () => {
    await ask(demo, 'GET', '/api/v1/ses_1/chats/49170@c.us/messages?limit=1', SESSION);
    await eventually(() => demo.proxied[0], { what: 'the record' });
    expect(demo.proxied).toEqual([
      {
        requestId: expect.stringMatching(/^req_/),
        keyId: 'key1',
        agencyId: 'acme',
        tenantId: 't1',
        sessionId: 'ses_1',
        method: 'GET',
        route: '/api/v1/{session}/chats/{chatId}/messages',
        status: 200,
        at: expect.any(Date),
        durationMs: expect.any(Number),
        requestBytes: 0,
        responseBytes: expect.any(Number),
      },
    ]);
    expect(demo.proxied[0]?.responseBytes).toBeGreaterThan(0);
  });
});

describe('what is not passed on', () => {
  const closed = Object.values(BACKEND_ROUTES)
    .flat()
    .filter(({ who, path }) => who === 'nobody' && path.startsWith('/api/'));
  const keys = { 'a session': SESSION, 'a dashboard': DASHBOARD, 'the operator': { key: MASTER_KEY } };

  test.each(closed)('$method $path is closed to every key', async ({ method, path }) => {
    for (const key of Object.values(keys)) {
      const asked = `${path.replaceAll(/{\w+}/g, 'wa_acme_t1')}?agencyId=acme&tenantId=t1`;
      const answer = await ask(demo, method, asked, { ...key, ...(method === 'GET' ? {} : { body: {} }) });
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(backend.requests).toEqual([]);
    expect((await ask(demo, method, path)).status).toBe(401);
  });

  test.each([
    ['POST', '/api/sessions/wa_acme_t1/logout'],
    ['POST', '/api/sessions/wa_acme_t1/stop'],
  ])("%s %s takes the dashboard's key", async (method, path) => {
    expect(await ask(demo, method, path, SESSION)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(backend.requests).toEqual([]);
    const asked = `${path}?agencyId=acme&tenantId=t1`;
    expect((await ask(demo, method, asked, DASHBOARD)).status).toBe(201);
    // The session's supervisor does it, and what it leaves is shown.
    expect(demo.asked.at(-1)).toEqual({ sessionId: 'ses_1', act: path.split('/').at(-1) });
    expect(backend.requests.map(({ method: sent, url }) => `${sent} ${url}`)).toEqual([
      'GET /base/api/sessions/wa_acme_t1',
    ]);
  });

  test.each([
    ['GET', '/api/wa_acme_t1'],
    ['GET', '/api/dashboard'],
    ['GET', '/API/wa_acme_t1/chats'],
    ['GET', '/api/SendText'],
    ['GET', '/wa_acme_t1/chats'],
  ])('%s %s is an unknown route', async (method, path) => {
    const answer = await ask(demo, method, path, SESSION);
    expect(answer).toMatchObject({ status: 404, body: { code: 'unknown_route' } });
    expect(backend.requests).toEqual([]);
  });

  test.each([
    ['PATCH', '/api/sessions/ses_1/start', 'POST'],
    ['POST', '/api/sessions/ses_1', 'DELETE, GET, PUT'],
  ])('%s %s is answered with the methods that are passed on', async (method, path, allowed) => {
    const answer = await ask(demo, method, path, SESSION);
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toBe(allowed);
  });

  test("another tenant's session is the same 404 as a missing one, wherever it is named", async () => {
    const paths = [
      '/api/v1/ses_0/chats',
      '/api/v1/ses_2/chats',
      '/api/v1/wa_globex_t1/chats',
      '/api/v1/contacts/all?session=wa_globex_t1',
      '/api/v1/ses_1/chats?session=ses_2',
      '/api/v1/contacts/all?session=ses_1&session=ses_2',
    ];
    const bodies = await Promise.all(
      paths.map(async (path) => {
        const { status, body } = await ask(demo, 'GET', path, SESSION);
        return JSON.stringify({ status, ...Object(body), requestId: '' });
      }),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('"not_found"');
    expect(backend.requests).toEqual([]);
    expect(demo.proxied).toEqual([]);
  });

  test('a session whose name the backend would read as something else', async () => {
    for (const path of ['/api/v1/ses_3/profile', '/api/v1/contacts/all?session=ses_3']) {
      const answer = await ask(demo, 'GET', `${path}${path.includes('?') ? '&' : '?'}tenantId=t2`, DASHBOARD);
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect(backend.requests).toEqual([]);
  });

  test('a request without a valid key', async () => {
    expect((await ask(demo, 'GET', '/api/v1/ses_1/chats')).status).toBe(401);
    expect(backend.requests).toEqual([]);
  });
});
