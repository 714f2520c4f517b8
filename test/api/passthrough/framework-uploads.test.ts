import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { ask, startDemo } from '../route/framework-app.ts';
import type { Demo, DemoOptions } from '../route/framework-app.ts';
import { startBackend } from './framework-backend.ts';
import { OWN_KEY, talk } from './framework-sockets.ts';

const NO_BACKEND = 'http://127.0.0.1:9';
/** More than the buffers of two sockets take, so that a server that does not read holds its client up. */
const LARGE = JSON.stringify({ file: { data: 'A'.repeat(16 * 1_048_576), mimetype: 'image/jpeg' } });

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const part of opened.splice(0).toReversed()) await part.close();
});

async function demoWith(options: DemoOptions): Promise<Demo> {
  const demo = await startDemo(options);
  opened.push(demo);
  return demo;
}

function headOf(session: string, length: number): string {
  return [
    `PUT /api/${session}/profile/picture HTTP/1.1`,
    'host: a',
    `x-api-key: ${OWN_KEY}`,
    'content-type: application/json',
    `content-length: ${length}`,
    '',
    '',
  ].join('\r\n');
}

/** Begins an upload and keeps the rest back. */
function begins(demo: Demo, { session, body }: { session: string; body: string }) {
  const socket: Socket = connect(demo.port, '127.0.0.1');
  const answer = Promise.withResolvers<string>();
  socket.on('error', () => undefined);
  socket.once('data', (part) => answer.resolve(part.toString('latin1')));
  socket.write(headOf(session, 4 * 1_048_576) + body);
  opened.push({ close: async () => socket.destroy() });
  return { answer: answer.promise, socket };
}

describe('an upload that goes on while it comes', () => {
  test.each([
    ['a backend that is not there', 'default', 502],
    ['a session that is not there', 'nobody', 404],
  ])('is read to its end for %s, so its client gets the answer', async (_what, session, status) => {
    const demo = await demoWith({ backendUrl: NO_BACKEND });
    expect(await talk(demo.port, headOf(session, LARGE.length) + LARGE)).toEqual([status]);
  });

  test.each([
    ['a backend that is not there', 'default', 'HTTP/1.1 502'],
    ['a session that is not there', 'nobody', 'HTTP/1.1 404'],
  ])('does no harm when its client leaves in the middle after the answer for %s', async (_what, session, status) => {
    const demo = await demoWith({ backendUrl: NO_BACKEND });
    const { answer, socket } = begins(demo, { session, body: '{"file":{"data":"AAAA' });
    expect(await answer).toContain(status);
    socket.destroy();
    expect((await ask(demo, 'GET', '/livez')).status).toBe(200);
    // The server has ended all connections by then.
    expect(await demo.logs()).toContain(`"status":${Number(status.slice(-3))}`);
  });

  test('does no harm when it breaks off, or its client leaves, while it waits for a place', async () => {
    const backend = await startBackend(() => undefined);
    const demo = await demoWith({ backendUrl: backend.url });
    opened.push(backend);
    const holding = Array.from({ length: 4 }, () => ask(demo, 'GET', '/api/default/chats', { key: OWN_KEY }));
    const held = Promise.allSettled(holding);
    await eventually(() => backend.requests.length === 4, { what: 'four requests' });
    const refused = begins(demo, { session: 'default', body: '{"session":"wa_globex_t1","file":{"data":"AAAA' });
    const left = begins(demo, { session: 'default', body: '{"file":{"data":"AAAA' });
    await eventually(() => left.socket.writableLength === 0, { what: 'the beginning of the upload' });
    left.socket.destroy();
    expect(await refused.answer).toContain('HTTP/1.1 503');
    refused.socket.destroy();
    expect((await ask(demo, 'GET', '/livez')).status).toBe(200);
    expect(backend.requests).toHaveLength(4);
    await backend.close();
    await held;
    expect(await demo.logs()).toContain('"status":499');
  });
});
