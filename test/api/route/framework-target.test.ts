import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { targetFlaw } from '../../../api/wire/request-target.ts';
import { startDemo } from './framework-app.ts';
import type { Demo } from './framework-app.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

const KEY = 'session-of-acme-t1';

/** `fetch` tidies targets up before it sends them; this sends them as they are. */
async function raw(path: string, method = 'GET', headers: Record<string, string | string[]> = {}) {
  return new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: demo.port, path, method, headers }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body: JSON.parse(body || '{}') }), reject);
    });
    sent.once('error', reject);
    sent.end();
  });
}

describe('a request target that has more than one reading', () => {
  test.each([
    '/api/v1/../../admin',
    '/api/v1/%2e%2e/%2e%2e/admin',
    '/api/v1/\\..\\..\\admin',
    '//evil.test/api/v1',
    'http://evil.test/api/v1/things',
    '/api/v1//things',
    '/api/v1/./things',
    '/api/v1/things/',
    '/api/v1/things%2Fthg_1',
    '/api/v1/things;a=b',
    '/api/v1/things%20%00',
    '/api/v1/things%0d%0a',
    '/api/v1/%74hings',
    '/api/v1/things%25',
    '/api/v1/things%zz',
    '/api/v1/things%ff',
    '/api/v1/things#part',
    '/api/v1/things?a#b',
    '*',
    `/api/v1/${'x'.repeat(2_048)}`,
  ])('%s is 400', async (path) => {
    expect(await raw(path, 'GET', { 'x-api-key': KEY })).toMatchObject({
      status: 400,
      body: { code: 'bad_request_target', requestId: expect.stringMatching(/^req_/) },
    });
  });

  test.each(['/', '/api/v1/things', '/api/v1/ses_1/chats/49170@c.us/messages', '/a/%2B49', '/a/%C3%A9?q=%2F..%2F//'])(
    '%s has one',
    (target) => expect(targetFlaw(target)).toBeUndefined(),
  );

  test('a path in other letters is another path', async () => {
    const answer = await raw('/API/V1/ADMIN/THINGS', 'GET', { 'x-api-key': KEY });
    expect(answer).toMatchObject({ status: 404, body: { code: 'unknown_route' } });
  });
});

describe('a request head that has more than one reading', () => {
  test('a repeated key is 400, also with the same value', async () => {
    const answer = await raw('/api/v1/things', 'GET', { 'x-api-key': [KEY, KEY] });
    expect(answer).toMatchObject({ status: 400, body: { code: 'ambiguous_credentials' } });
    const joined = await raw('/api/v1/things', 'GET', { 'x-api-key': `${KEY}, ${KEY}` });
    expect(joined).toMatchObject({ status: 400, body: { code: 'ambiguous_credentials' } });
  });

  test('a repeated header, an underscore in a name and too many headers are 400', async () => {
    const twice = { 'x-api-key': KEY, 'idempotency-key': ['a', 'b'] };
    expect(await raw('/api/v1/things', 'GET', twice)).toMatchObject({
      status: 400,
      body: { code: 'bad_request_target' },
    });
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`x-${i}`, '1']));
    for (const head of [{ 'content-type': ['a', 'b'] }, { x_api_key: KEY }, many]) {
      expect(await raw('/livez', 'GET', head)).toMatchObject({ status: 400, body: { code: 'bad_request_target' } });
    }
  });

  test('TRACE is 405', async () => {
    expect(await raw('/api/v1/things', 'TRACE')).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
  });

  test('an upgrade is an ordinary request', async () => {
    const socket = connect(demo.port, '127.0.0.1');
    socket.write('GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test('both a length and chunks never reach a route', async () => {
    const socket = connect(demo.port, '127.0.0.1');
    socket.write(
      `POST /api/v1/things HTTP/1.1\r\nHost: a\r\nX-API-Key: ${KEY}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });
});
