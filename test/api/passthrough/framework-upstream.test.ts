import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket, createServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ask, startDemo } from '../route/framework-app.ts';
import type { DemoOptions } from '../route/framework-app.ts';
import { eventually } from '../../support/eventually.ts';
import { createUpstream } from '../../../api/passthrough/upstream.ts';
import { startBackend } from './framework-backend.ts';

const SESSION = { key: 'session-of-acme-t1' };

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const part of opened.splice(0).toReversed()) await part.close();
});

async function demoBefore(answer: (url: string, response: ServerResponse) => void, options: DemoOptions = {}) {
  const backend = await startBackend(answer);
  const demo = await startDemo({ backendUrl: backend.url, ...options });
  opened.push(backend, demo);
  return { backend, demo };
}

describe("the backend's answer", () => {
  test('keeps its status and body, and loses what is the business of the connection or of the backend', async () => {
    const { demo } = await demoBefore((_url, response) => {
      response.writeHead(422, {
        'content-type': 'application/json',
        'set-cookie': 'a=b',
        server: 'backend/1',
        'x-powered-by': 'Express',
        'access-control-allow-origin': '*',
        'x-request-id': 'of-the-backend',
        'retry-after': '3',
        'cache-control': 'public, max-age=60',
        etag: '"a"',
      });
      response.end('{"error":"no"}');
    });
    const answer = await ask(demo, 'GET', '/api/v1/ses_1/chats', SESSION);
    expect(answer).toMatchObject({ status: 422, body: { error: 'no' } });
    const names = [...answer.headers.keys()].filter((name) => !['date', 'keep-alive', 'connection'].includes(name));
    expect(names.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'cache-control',
      'content-security-policy',
      'content-type',
      'cross-origin-resource-policy',
      'referrer-policy',
      'retry-after',
      'strict-transport-security',
      'transfer-encoding',
      'x-content-type-options',
      'x-request-id',
    ]);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    // Another key makes another account of the same path, and caches do not look at keys.
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('arrives piece by piece', async () => {
    let finish = (): void => undefined;
    const { demo } = await demoBefore((_url, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('[1,');
      finish = () => response.end('2]');
    });
    const response = await fetch(`${demo.url}/api/v1/ses_1/chats`, { headers: { 'x-api-key': SESSION.key } });
    const pieces: string[] = [];
    for await (const piece of response.body ?? []) {
      pieces.push(Buffer.from(piece).toString());
      finish();
    }
    expect(pieces).toEqual(['[1,', '2]']);
  });

  test('is the one that follows an interim answer', async () => {
    const { demo } = await demoBefore((_url, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' }, () => response.end('[1]'));
    });
    expect(await ask(demo, 'GET', '/api/v1/ses_1/chats', SESSION)).toMatchObject({ status: 200, body: '[1]' });
  });

  test('is an error of any depth', async () => {
    const { demo } = await demoBefore((_url, response) => {
      response.writeHead(422, { 'content-type': 'application/json' });
      response.end(`{"why":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    });
    expect(await ask(demo, 'GET', '/api/v1/ses_1/chats', SESSION)).toMatchObject({ status: 422 });
  });

  test("is of the engine's key, however long", async () => {
    const { demo } = await demoBefore((_url, response) => {
      response.writeHead(403);
      response.end('x'.repeat(2 * 1_048_576));
    });
    expect(await ask(demo, 'GET', '/api/v1/ses_1/chats', SESSION)).toMatchObject({
      status: 502,
      body: { detail: 'The backend refused the engine.' },
    });
  });

  test.each([401, 403])("%i is no fault of the client: the engine's key was refused", async (status) => {
    const { demo } = await demoBefore((_url, response) => {
      response.writeHead(status, { 'www-authenticate': 'Basic' });
      response.end('{"key":"key-of-the-backend"}');
    });
    const answer = await ask(demo, 'GET', '/api/v1/ses_1/chats', SESSION);
    expect(answer).toMatchObject({ status: 502, body: { code: 'backend_error' } });
    expect(answer.headers.get('www-authenticate')).toBeNull();
    await eventually(() => demo.proxied[0], { what: 'the record' });
    expect(demo.proxied).toMatchObject([{ status: 502 }]);
  });

  test('that stops in the middle cuts the connection instead of looking whole', async () => {
    const { demo } = await demoBefore((_url, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('[1,', () => response.destroy());
    });
    await expect(ask(demo, 'GET', '/api/v1/ses_1/chats', SESSION)).rejects.toThrow();
    expect((await ask(demo, 'GET', '/livez')).status).toBe(200);
  });
});

describe('a backend that', () => {
  test('is not there is `backend_unreachable`', async () => {
    const demo = await startDemo({ backendUrl: 'http://127.0.0.1:9' });
    opened.push(demo);
    const answer = await ask(demo, 'GET', '/api/v1/ses_1/chats', SESSION);
    expect(answer).toMatchObject({ status: 502, body: { code: 'backend_unreachable' } });
    expect(JSON.stringify(answer.body)).not.toContain('127.0.0.1');
    await eventually(() => demo.proxied[0], { what: 'the record' });
    expect(demo.proxied).toMatchObject([{ status: 502, sessionId: 'ses_1' }]);
  });

  test('says nothing within the deadline is `backend_timeout`', async () => {
    const { demo, backend } = await demoBefore(() => undefined, { limits: { readMs: 100 } });
    const answer = await ask(demo, 'GET', '/api/v1/ses_1/chats', SESSION);
    expect(answer).toMatchObject({ status: 504, body: { code: 'backend_timeout' } });
    await backend.requests[0]?.abandoned;
  });

  test('does not speak HTTP is `backend_error`', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.resume().end('220 mail.test ESMTP\r\n')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    opened.push({ close: () => new Promise((resolve) => server.close(resolve)) });
    const demo = await startDemo({ backendUrl: `http://127.0.0.1:${port}` });
    opened.push(demo);
    const answer = await ask(demo, 'GET', '/api/v1/ses_1/chats', SESSION);
    expect(answer).toMatchObject({ status: 502, body: { code: 'backend_error' } });
  });

  test('is not asked for a client that has left while it waited for its place', async () => {
    const { backend } = await demoBefore(() => undefined);
    const upstream = createUpstream({ readMs: 1_000, changeMs: 1_000, idleMs: 1_000 });
    opened.push(upstream);
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.destroy();
    const request = {
      baseUrl: backend.url,
      method: 'POST',
      path: '/api/startTyping',
      headers: {},
      body: null,
    } as const;
    await expect(upstream.stream(request, response, () => undefined)).rejects.toThrow();
    expect(backend.requests).toEqual([]);
  });

  test('is still busy when the client leaves is let go', async () => {
    const reached = Promise.withResolvers<void>();
    const { demo, backend } = await demoBefore(() => reached.resolve());
    const client = new AbortController();
    const asked = fetch(`${demo.url}/api/v1/ses_1/chats`, {
      headers: { 'x-api-key': SESSION.key },
      signal: client.signal,
    });
    await reached.promise;
    client.abort();
    await expect(asked).rejects.toThrow();
    await backend.requests[0]?.abandoned;
    const logs = await demo.logs();
    expect(logs).toContain('"status":499');
    expect(logs).not.toContain('"level":"error"');
  });
});
