import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { ask, MASTER_KEY, startDemo } from '../route/framework-app.ts';
import type { Demo } from '../route/framework-app.ts';
import { startBackend } from './framework-backend.ts';

const SESSION = { key: 'session-of-acme-t1' };
/** More than the buffers of two sockets take, so that an answer of it waits for its reader. */
const LARGE = Buffer.alloc(16 * 1_048_576, 'x');

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const part of opened.splice(0).toReversed()) await part.close();
});

/** Sends a request and never reads of the answer. */
function neverReads(demo: Demo, path: string, key?: string): Socket {
  const socket = connect(demo.port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n${key === undefined ? '' : `x-api-key: ${key}\r\n`}\r\n`);
  opened.push({ close: async () => socket.destroy() });
  return socket;
}

/** Sends what there is of a request and never the rest. */
function drips(demo: Demo, request: string): Socket {
  const socket = connect(demo.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(request);
  opened.push({ close: async () => socket.destroy() });
  return socket;
}

async function until(demo: Demo, count: number): Promise<void> {
  await eventually(() => demo.openStreams() >= count, { what: `${count} streams` });
}

describe('a file that drips', () => {
  const dashboard = (agency: string) => ({ key: `dashboard-of-${agency}` });

  test('from the servers of one agency takes no place before the backend, and none of the files of another', async () => {
    const backend = await startBackend((_url, response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
    });
    const never = Promise.withResolvers<Buffer>();
    const demo = await startDemo({
      backendUrl: backend.url,
      files: { 'https://files.test/slow': never.promise, 'https://files.test/fast': Buffer.from('fast') },
    });
    opened.push(backend, demo);
    const picture = (agency: string, file: string) =>
      ask(demo, 'PUT', '/api/default/profile/picture?tenantId=t1', {
        ...dashboard(agency),
        body: { file: { url: `https://files.test/${file}`, mimetype: 'image/jpeg' } },
      });
    const dripping = Array.from({ length: 20 }, () => picture('acme', 'slow'));
    expect((await picture('globex', 'fast')).status).toBe(201);
    const labels = await ask(demo, 'GET', '/api/default/labels?tenantId=t1', dashboard('acme'));
    expect(labels.status).toBe(201);
    never.resolve(Buffer.from('late'));
    await Promise.all(dripping);
  });

  test('in the bodies of two callers leaves room in memory for a whole file of another', async () => {
    const backend = await startBackend((_url, response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"false_1@c.us_A"}');
    });
    const demo = await startDemo({ backendUrl: backend.url });
    opened.push(backend, demo);
    const body = JSON.stringify({ chatId: '15550100001@c.us', file: { data: 'A'.repeat(2 * 1_048_576) } });
    const dripping = ['dashboard-of-acme', MASTER_KEY].map((key) => {
      const head = [
        'POST /api/sendImage?agencyId=acme&tenantId=t1 HTTP/1.1',
        'host: a',
        `x-api-key: ${key}`,
        'content-type: application/json',
        `content-length: ${body.length}`,
      ];
      return drips(demo, `${head.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`);
    });
    await eventually(() => dripping.every(({ writableLength }) => writableLength === 0), { what: 'two bodies' });
    const answer = await ask(demo, 'POST', '/api/sendImage?tenantId=t1', {
      ...dashboard('globex'),
      body: JSON.parse(body),
    });
    expect(answer.status).toBe(201);
  });
});

describe('a reader that does not read', () => {
  test("of the passthrough's is cut, and its connections to the backend are free again", async () => {
    const holding = new Set<ServerResponse>();
    const backend = await startBackend((url, response) => {
      response.writeHead(200, { 'content-length': LARGE.length });
      if (url.includes('/labels')) return response.end(LARGE.subarray(0, 0)) && undefined;
      holding.add(response);
      response.once('close', () => holding.delete(response));
      response.end(LARGE);
    });
    const demo = await startDemo({ backendUrl: backend.url, limits: { idleMs: 300 } });
    opened.push(backend, demo);
    for (let n = 0; n < 4; n += 1) neverReads(demo, '/api/default/chats', SESSION.key);
    await eventually(() => holding.size === 4, { what: 'four held answers' });
    await eventually(() => holding.size === 0, { what: 'the end of the held answers' });
  });

  test('of the passthrough has four places for its session, and takes none of the others', async () => {
    const backend = await startBackend((url, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (url.includes('globex')) response.end('[]');
    });
    const demo = await startDemo({ backendUrl: backend.url });
    opened.push(backend, demo);
    for (let n = 0; n < 4; n += 1) neverReads(demo, '/api/default/chats', SESSION.key);
    await eventually(() => backend.requests.length === 4, { what: 'four requests' });
    const fifth = await ask(demo, 'GET', '/api/default/labels', SESSION);
    expect(fifth).toMatchObject({ status: 503, body: { code: 'busy' } });
    expect(fifth.headers.get('retry-after')).toBe('1');
    const others = await ask(demo, 'GET', '/api/default/labels?tenantId=t1', { key: 'dashboard-of-globex' });
    expect(others).toMatchObject({ status: 200, body: [] });
    expect(backend.requests).toHaveLength(5);
  });

  test('of a file is cut, and has four places for its link, which leave room for other files of the session', async () => {
    const demo = await startDemo({
      media: { file: LARGE, bounds: { windowMs: 500, waitMs: 100 } },
    });
    opened.push(demo);
    for (let n = 0; n < 4; n += 1) neverReads(demo, '/media/msg_1/genuine');
    await until(demo, 4);
    const fifth = await ask(demo, 'GET', '/media/msg_1/genuine');
    expect(fifth).toMatchObject({ status: 503, body: { code: 'busy' } });
    expect((await ask(demo, 'GET', '/media/msg_2/genuine')).status).toBe(200);
    expect((await ask(demo, 'GET', '/media/msg_of_ses_2/genuine')).status).toBe(200);
    await eventually(() => demo.openStreams() === 0, { what: 'the end of the streams' });
    expect((await ask(demo, 'GET', '/media/msg_1/genuine')).status).toBe(200);
  });

  test('of files leaves half of all places to other agencies, however many sessions its agency has', async () => {
    const demo = await startDemo({
      media: { file: LARGE, bounds: { windowMs: 60_000, waitMs: 100, inAll: 8 } },
    });
    opened.push(demo);
    for (let n = 1; n <= 4; n += 1) neverReads(demo, `/media/msg_of_ses_${n}/genuine`);
    await until(demo, 4);
    const fifth = await ask(demo, 'GET', '/media/msg_of_ses_5/genuine');
    expect(fifth).toMatchObject({ status: 503, body: { code: 'busy' } });
    expect((await ask(demo, 'GET', '/media/msg_of_globex_ses_9/genuine')).status).toBe(200);
  });

  test('of a file is cut, too, where it reads a little now and then, and one that reads gets the whole file', async () => {
    const demo = await startDemo({
      media: { file: LARGE, bounds: { windowMs: 500, bytesPerSecond: 4 * 1_048_576, waitMs: 100 } },
    });
    opened.push(demo);
    const drip = neverReads(demo, '/media/msg_1/genuine');
    let read = 0;
    const sips = setInterval(() => {
      const piece: unknown = drip.read(64 * 1_024) ?? drip.read();
      if (Buffer.isBuffer(piece)) read += piece.length;
    }, 50);
    opened.push({ close: async () => clearInterval(sips) });
    await until(demo, 1);
    const whole = await fetch(`http://127.0.0.1:${demo.port}/media/msg_2/genuine`);
    expect((await whole.arrayBuffer()).byteLength).toBe(LARGE.length);
    await eventually(() => demo.openStreams() === 0, { what: 'the end of the drip' });
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(LARGE.length / 2);
  });
});
