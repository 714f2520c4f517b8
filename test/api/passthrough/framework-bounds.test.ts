import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { ask, startDemo } from '../route/framework-app.ts';
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

async function until(demo: Demo, count: number): Promise<void> {
  await eventually(() => demo.openStreams() >= count, { what: `${count} streams` });
}

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

  test('of a file is cut, and has four places for its link and its session', async () => {
    const demo = await startDemo({
      media: { file: LARGE, bounds: { idleMs: 400, waitMs: 100 } },
    });
    opened.push(demo);
    for (let n = 0; n < 4; n += 1) neverReads(demo, '/media/msg_1/genuine');
    await until(demo, 4);
    for (const id of ['msg_1', 'msg_2']) {
      const fifth = await ask(demo, 'GET', `/media/${id}/genuine`);
      expect(fifth).toMatchObject({ status: 503, body: { code: 'busy' } });
    }
    expect((await ask(demo, 'GET', '/media/msg_of_another/genuine')).status).toBe(200);
    await eventually(() => demo.openStreams() === 0, { what: 'the end of the streams' });
    expect((await ask(demo, 'GET', '/media/msg_1/genuine')).status).toBe(200);
  });
});
