import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, startDemo } from './framework-app.ts';
import type { Demo } from './framework-app.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

const SESSION = { key: 'session-of-acme-t1' };

describe('bad input', () => {
  test('every field that does not fit is named with a pointer', async () => {
    const body = { to: '', parts: [{ size: 1 }, { size: 'big' }] };
    const answer = await ask(demo, 'POST', '/api/v1/things', { ...SESSION, body });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toEqual({
      type: 'https://engine.test/docs/errors/invalid_request',
      title: expect.any(String),
      status: 422,
      code: 'invalid_request',
      detail: expect.any(String),
      errors: [
        { pointer: '/to', message: expect.any(String) },
        { pointer: '/parts/1/size', message: expect.any(String) },
      ],
      requestId: answer.headers.get('x-request-id'),
    });
  });

  test.each([
    ['GET', '/api/v1/things?limit=many', 'query/limit'],
    ['GET', '/api/v1/things?limit=0', 'query/limit'],
    ['GET', '/api/v1/things/1', 'path/id'],
  ])('%s %s points to %s', async (method, path, pointer) => {
    const answer = await ask(demo, method, path, SESSION);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });

  test('a list, a text or no object at all is 422 and not a crash', async () => {
    for (const body of ['[]', '"text"', 'null', '7']) {
      expect((await ask(demo, 'POST', '/api/v1/things', { ...SESSION, body })).status).toBe(422);
    }
  });

  test('a missing body reads as an empty object', async () => {
    const answer = await ask(demo, 'POST', '/api/v1/things', SESSION);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/to' }] } });
  });

  test.each(['{', '{"to": }', ''.padEnd(3), '{"to":"\u00ff"}'])('malformed JSON is 400: %j', async (body) => {
    const answer = await ask(demo, 'POST', '/api/v1/things', { ...SESSION, body: Buffer.from(body, 'latin1') });
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_json' } });
  });

  test.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-encoding': 'gzip' },
  ])('%j is 415', async (headers) => {
    const answer = await ask(demo, 'POST', '/api/v1/things', { ...SESSION, body: { to: 'x' }, headers });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  test('a charset of UTF-8 is fine', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await ask(demo, 'POST', '/api/v1/things', { ...SESSION, body: { to: 'x' }, headers })).status).toBe(202);
  });

  test('a body over one MiB is 413, and the connection serves the next request', async () => {
    const body = { to: 'x'.repeat(1024 * 1024) };
    const answer = await ask(demo, 'POST', '/api/v1/things', { ...SESSION, body });
    expect(answer).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    expect((await ask(demo, 'GET', '/api/v1/things', SESSION)).status).toBe(200);
  });

  test('a body over one MiB without a length is 413 as well', async () => {
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(64 * 1024, 'x'));
    const response = await fetch(`${demo.url}/api/v1/things`, {
      method: 'POST',
      headers: { 'x-api-key': SESSION.key, 'content-type': 'application/json' },
      body: ReadableStream.from(chunks),
      duplex: 'half',
    });
    expect(response.status).toBe(413);
  });

  test('an unknown route is 404', async () => {
    for (const path of ['/nothing', '/api/v1/inbox/no/such', '/api/v1/THINGS', '/api/v2/things']) {
      expect(await ask(demo, 'GET', path, SESSION)).toMatchObject({ status: 404, body: { code: 'unknown_route' } });
    }
  });

  test('a mistyped path is 404 with the one that was meant, also where it would fit as an id', async () => {
    const answer = await ask(demo, 'GET', '/api/v1/thngs', SESSION);
    const detail = expect.stringMatching(/^Did you mean GET \/api\/v1\/things\? The routes are listed at /);
    expect(answer).toMatchObject({ status: 404, body: { code: 'unknown_route', detail } });
  });

  test('another method of a known path is 405 with Allow', async () => {
    const answer = await ask(demo, 'PATCH', '/api/v1/things', { ...SESSION, body: {} });
    const detail = expect.stringMatching(/^Use GET \("[^"]+"\) or POST \("[^"]+"\)\.$/);
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed', detail } });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    const options = await ask(demo, 'OPTIONS', '/api/v1/things/thg_1');
    expect(options.status).toBe(204);
    expect(options.headers.get('allow')).toBe('DELETE, GET, HEAD');
  });

  test('names no method of a route that takes the word of another one as an id', async () => {
    const answer = await ask(demo, 'PUT', '/api/v1/things/restart', { ...SESSION, body: {} });
    expect(answer).toMatchObject({ status: 405, body: { detail: 'Use POST.' } });
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

describe('answers', () => {
  test('fields that are not declared do not leave the engine', async () => {
    const answer = await ask(demo, 'GET', '/api/v1/things/thg_1', SESSION);
    expect(answer.body).toEqual({ id: 'thg_1', tenantId: 't1' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('fields of a body that begin with _ do not reach the handler', async () => {
    const body = { to: 'x', _extra: 1, ['__proto__']: { polluted: true } };
    await ask(demo, 'POST', '/api/v1/things', { ...SESSION, body });
    expect(demo.seen.at(-1)).toEqual({ to: 'x' });
  });

  test('a fixed path goes before a parameter, whatever the order of the list', async () => {
    expect((await ask(demo, 'GET', '/api/v1/things/newest', SESSION)).body).toEqual({ newest: true });
  });

  test('204 has no body, HEAD has the headers of GET', async () => {
    const deleted = await ask(demo, 'DELETE', '/api/v1/things/thg_1', SESSION);
    expect(deleted).toMatchObject({ status: 204, body: '' });
    const head = await ask(demo, 'HEAD', '/api/v1/things/thg_1', SESSION);
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
  });

  test('a picture is sent as it is', async () => {
    const answer = await fetch(`${demo.url}/api/v1/qr`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from([137, 80, 78, 71]));
  });

  test('a callback of the backend is handed on as bytes, also above one MiB', async () => {
    const body = Buffer.alloc(1_500_000);
    const headers = { 'content-type': 'application/octet-stream' };
    expect((await ask(demo, 'POST', '/v1/callback', { body, headers })).body).toEqual({ bytes: 1_500_000 });
  });

  test("a client's request id is returned when it is sane, and replaced when it is not", async () => {
    const given = async (id: string) =>
      (await ask(demo, 'GET', '/livez', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await given('order-4711.a:b')).toBe('order-4711.a:b');
    expect(await given('a b')).toMatch(/^req_/);
    expect(await given('x'.repeat(129))).toMatch(/^req_/);
  });
});
