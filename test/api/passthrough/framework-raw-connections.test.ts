import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventually } from '../../support/eventually.ts';
import { startDemo } from '../route/framework-app.ts';
import type { Demo } from '../route/framework-app.ts';
import { startBackend } from './framework-backend.ts';
import type { FakeBackend } from './framework-backend.ts';
import { CHATS, CHUNK, get, JSON_TYPE, post, SMUGGLED, written } from './framework-bytes.ts';
import { answered, OWN, OWN_KEY, strayRequests, talk, VICTIM } from './framework-sockets.ts';

/* As `framework-raw.test.ts`: what several requests, slow ones and damaged ones do on a connection. */

let backend: FakeBackend;
let demo: Demo;
/** Waits for nobody as long as the engine does. */
let impatient: Demo;
beforeAll(async () => {
  backend = await startBackend();
  demo = await startDemo({ backendUrl: backend.url });
  const timeouts = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };
  impatient = await startDemo({ backendUrl: backend.url, timeouts });
});
afterAll(async () => {
  await demo.close();
  await impatient.close();
  await backend.close();
});
beforeEach(() => {
  backend.requests.length = 0;
});

describe('requests that follow each other on one connection', () => {
  const good = get('/api/default/labels');
  /** A body that reads as a request for somebody else. */
  const body = SMUGGLED;
  const length = `Content-Length: ${body.length}`;

  test.each([
    ['is for somebody else', get(`/api/${VICTIM}/chats`), 404],
    ['has no route', get('/API/default/nothing'), 404],
    ['has a key that nobody has', get(CHATS).replace(OWN_KEY, 'nobody'), 401],
    ['has a target of two readings', get('//api/default/chats'), 400],
    ['is closed to every key', get('/api/server/environment'), 403],
    ['has a body that reads as a request', written(`POST /api/${VICTIM}/labels HTTP/1.1`, [length], body), 415],
    ['has such a body, which nobody reads', written(`GET ${CHATS}/ HTTP/1.1`, [length], body), 400],
    ['has a body where none is read', written('DELETE /api/keys/1 HTTP/1.1', [length], body), 403],
  ])('the second is answered for itself when the first %s', async (_, first, status) => {
    expect(await talk(demo.port, first + good)).toEqual([status, 200]);
    expect(backend.requests.map(({ url }) => url)).toEqual([`/api/${OWN}/labels`]);
  });

  test('a read that carries a body which reads as a request is passed on without it', async () => {
    const read = written(`GET ${CHATS} HTTP/1.1`, [length], body);
    expect(await talk(demo.port, read + good)).toEqual([200, 200]);
    expect(backend.requests.map(({ url }) => url)).toEqual([`/api/${OWN}/chats`, `/api/${OWN}/labels`]);
    expect(await Promise.all(backend.requests.map((request) => request.body))).toEqual(['', '']);
  });

  test('a hundred at once are answered in their order', async () => {
    const refused = get(`/api/${VICTIM}/chats`);
    expect(await talk(demo.port, `${refused}${good}`.repeat(50))).toEqual(
      Array.from({ length: 50 }, () => [404, 200]).flat(),
    );
    expect(backend.requests).toHaveLength(50);
    expect(await strayRequests(backend)).toEqual([]);
  });
});

describe('a client that drips', () => {
  /** Writes the first bytes at once and then one every few milliseconds, until the server has had enough. */
  async function drip(first: string): Promise<number[]> {
    const socket = connect(impatient.port, '127.0.0.1');
    const ended = answered(socket);
    socket.write(first);
    const dripping = setInterval(() => socket.write('a'), 20);
    return ended.finally(() => clearInterval(dripping));
  }

  test('its head is cut with 408', async () => {
    expect(await drip(`GET ${CHATS} HTTP/1.1\r\nHost: a\r\nX-Note: `)).toEqual([408]);
    expect(backend.requests).toEqual([]);
  });

  test('its body is cut with 408, and the backend is not asked', async () => {
    expect(await drip(post(['Content-Length: 1000'], '{"chatId":"'))).toEqual([408]);
    expect(backend.requests).toEqual([]);
  });

  test('its upload, which is passed on as it comes, is broken off at the backend, too', async () => {
    const line = 'PUT /api/default/profile/picture HTTP/1.1';
    const headers = [JSON_TYPE, `Content-Length: ${2 * 1_048_576}`];
    const start = `{"file":{"mimetype":"image/jpeg","data":"${'a'.repeat(100_000)}`;
    await drip(written(line, headers, start));
    await eventually(() => backend.requests[0], { what: 'the request at the backend' });
    await backend.requests[0]?.abandoned;
    await expect(backend.requests[0]?.body).rejects.toThrow();
    expect(backend.requests.map(({ url }) => url)).toEqual([`/api/${OWN}/profile/picture`]);
  });
});

test('the record of the backend tells what should not have reached it', async () => {
  const asked = { method: 'GET', url: `/api/${OWN}/chats`, headers: {}, abandoned: Promise.resolve() };
  const strays = [
    { ...asked, url: `/api/${VICTIM}/chats` },
    { ...asked, url: `/api/contacts/all?limit=1&session=${OWN}` },
    { ...asked, url: `/api/${OWN}/../${VICTIM}/chats` },
    { ...asked, method: 'TRACE' },
    { ...asked, headers: { cookie: 'a=b' } },
  ].map((request) => ({ ...request, body: Promise.resolve('') }));
  expect(await strayRequests({ requests: strays })).toHaveLength(strays.length);
  expect(await strayRequests({ requests: [{ ...asked, body: Promise.resolve('') }] })).toEqual([]);
});

describe('whatever bytes are put into a request', () => {
  const NAMED = `{"session":"${OWN}","chatId":"1@c.us"}`;
  const fragments = fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    '\u0000',
    ' ',
    '\t',
    ':',
    '/',
    '//',
    '..',
    '%2e%2e',
    '%2f',
    '?',
    '&',
    '#',
    ';',
    '\\',
    '@',
    VICTIM,
    `/../${VICTIM}/`,
    `session=${VICTIM}`,
    `session: ${VICTIM}\r\n`,
    `"session":"${VICTIM}",`,
    'X-Note: a\r\n',
    'a',
    '1',
    'Content-Length: 0\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Host: b\r\n',
    'HTTP/1.1',
    '\r\n\r\n',
    SMUGGLED,
  );
  const request = fc.constantFrom(
    get(CHATS),
    get('/api/contacts/all?limit=1'),
    get(`/api/v1/${OWN}/chats/1@c.us/messages?limit=1`),
    post([`Content-Length: ${NAMED.length}`], NAMED),
    post(['Transfer-Encoding: chunked'], CHUNK),
  );
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.constantFrom(0, 0, 0, 1, 8),
    put: fc.option(fragments),
  });

  const damaged = fc.tuple(request, fc.array(damage, { minLength: 1, maxLength: 3 })).map(([whole, damages]) =>
    damages.reduce((text, { at, cut, put }) => {
      const from = Math.floor(at * text.length);
      return text.slice(0, from) + (put ?? '') + text.slice(from + cut);
    }, whole),
  );

  test('the backend is asked for the own session only, in the one form that it knows, and once at most', async () => {
    const all = fc.sample(damaged, { numRuns: 600, seed: 17 });
    // Some never end, and are cut together.
    for (let from = 0; from < all.length; from += 200) {
      await Promise.all(all.slice(from, from + 200).map((bytes) => talk(impatient.port, bytes)));
    }
    expect(await strayRequests(backend)).toEqual([]);
    expect(backend.requests.length).toBeLessThan(all.length);
    // A test in which nothing is passed on would prove nothing.
    expect(backend.requests.length).toBeGreaterThan(50);
  });
});
