import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startDemo } from '../route/framework-app.ts';
import type { Demo } from '../route/framework-app.ts';
import { startBackend } from './framework-backend.ts';
import type { FakeBackend } from './framework-backend.ts';
import { BODY, CHATS, CHUNK, get, LENGTH, post, SMUGGLED, written } from './framework-bytes.ts';
import { OWN, OWN_KEY, strayRequests, talk, VICTIM } from './framework-sockets.ts';

/*
 * Writes bytes to the gate by hand, always with a key that works: what is refused here is refused for what it says. The
 * backend records every request that reaches it.
 */

let backend: FakeBackend;
let demo: Demo;
beforeAll(async () => {
  backend = await startBackend();
  demo = await startDemo({ backendUrl: backend.url });
});
afterAll(async () => {
  await demo.close();
  await backend.close();
});
beforeEach(() => {
  backend.requests.length = 0;
});

describe('a request of two readings', () => {
  const cases: [attack: string, bytes: string][] = [
    ['a length and chunks', post(['Content-Length: 4', 'Transfer-Encoding: chunked'], `${CHUNK}${SMUGGLED}`)],
    ['chunks and a length', post(['Transfer-Encoding: chunked', 'Content-Length: 4'], `${CHUNK}${SMUGGLED}`)],
    ['two lengths', post([LENGTH, 'Content-Length: 4'], BODY + SMUGGLED)],
    ['a length twice', post([LENGTH, LENGTH], BODY)],
    ['two lengths in one line', post([`${LENGTH}, 4`], BODY)],
    ['a signed length', post(['Content-Length: +19'], BODY)],
    ['a negative length', post(['Content-Length: -1'], BODY)],
    ['a hexadecimal length', post(['Content-Length: 0x13'], BODY)],
    ['a length beyond all numbers', post(['Content-Length: 99999999999999999999'], BODY)],
    ['an encoding that is none', post(['Transfer-Encoding: xchunked'], CHUNK)],
    ['chunks that are not the last encoding', post(['Transfer-Encoding: chunked, identity'], CHUNK)],
    ['chunks twice', post(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], CHUNK)],
    ['a space before the colon', post(['Transfer-Encoding : chunked'], CHUNK)],
    ['a control character before the encoding', post(['Transfer-Encoding: \u000bchunked'], CHUNK)],
    ['a size of chunks that is signed', post(['Transfer-Encoding: chunked'], '-1\r\n{}\r\n0\r\n\r\n')],
    [
      'a size of chunks beyond all numbers',
      post(['Transfer-Encoding: chunked'], `${'F'.repeat(17)}\r\n{}\r\n0\r\n\r\n`),
    ],
    ['a size of chunks with a prefix', post(['Transfer-Encoding: chunked'], '0x2\r\n{}\r\n0\r\n\r\n')],
    ['a chunk that ends with a bare line feed', post(['Transfer-Encoding: chunked'], '2\n{}\n0\n\n')],
    ['lines that end with a bare line feed', get(CHATS).replaceAll('\r\n', '\n')],
    ['one line that ends with a bare line feed', get(CHATS).replace('a\r\nX-API', 'a\nX-API')],
    ['lines that end with a bare carriage return', get(CHATS).replaceAll('\r\n', '\r')],
    ['a bare carriage return within a header', get(CHATS, `X-A: b\rX-API-Key: ${OWN_KEY}`)],
    ['a folded header', get(CHATS, 'X-Note: a', ' b')],
    ['a folded key', get(CHATS).replace(`X-API-Key: ${OWN_KEY}`, `X-API-Key:\r\n ${OWN_KEY}`)],
    ['a space in a name', get(CHATS, 'X Note: a')],
    ['a header without a name', get(CHATS, ': a')],
    ['a NUL within a header', get(CHATS, 'X-Note: a\u0000b')],
    ['no host', get(CHATS).replace('Host: a\r\n', '')],
    ['two hosts', get(CHATS, 'Host: b')],
    ['two keys', get(CHATS, 'X-API-Key: session-of-umbra')],
    ['two keys by two names', get(CHATS, 'API-Key: session-of-umbra')],
    ['a name with an underscore', get(CHATS, 'X_API_Key: session-of-umbra')],
  ];

  test.each(cases)('%s: is refused, and what follows is not read', async (_, bytes) => {
    expect(await talk(demo.port, bytes)).toEqual([400]);
    expect(backend.requests).toEqual([]);
  });
});

describe('a target that is not a canonical path', () => {
  const targets = [
    `http://evil.test/api/${OWN}/chats`,
    'http://a/api/default/chats',
    'https://a:443/api/default/chats',
    'a:443',
    'api/default/chats',
    '*',
    '?/api/default/chats',
    '//evil.test/api/default/chats',
    '//api/default/chats',
    '/api//default/chats',
    '/api/default/chats/',
    '/api/default/./chats',
    `/api/default/../${VICTIM}/chats`,
    `/api/default/%2e%2e/${VICTIM}/chats`,
    `/api/default/.%2E/${VICTIM}/chats`,
    `/api/default%2f..%2f${VICTIM}/chats`,
    `/api/default%2Fchats`,
    `/api/default/..;/${VICTIM}/chats`,
    `/api/default\\..\\${VICTIM}\\chats`,
    `/api/default/%5c..%5c${VICTIM}/chats`,
    `/api/default/%252e%252e/${VICTIM}/chats`,
    `/api/default/%c0%ae%c0%ae/${VICTIM}/chats`,
    '/api/default/chats%00',
    '/api/default%00/chats',
    '/api/default/chats%0d%0aX-Api-Key:%20a',
    '/api/default/chats;session=a',
    '/api/default/%63hats',
    '/api/default/chats#a',
    '/api/default/chats?limit=1#a',
    '/api/default/chats?session[]=a',
    '/api/default/chats?limit=1&limit=%00&x-api-key=a',
    '/api/default/ch\u00e4ts',
    '/api/default/chats\u0000',
    '/api/default/chats\u007f',
    '/api/default/chats\ta',
    `/api/default/chats/${'a'.repeat(2_048)}`,
    `/api/default/chats?limit=${'1'.repeat(2_048)}`,
  ];

  test.each(targets)('%j is refused', async (target) => {
    expect(await talk(demo.port, get(target))).toEqual([400]);
    expect(backend.requests).toEqual([]);
  });

  test.each([
    ['a target of a megabyte', get(`/${'a'.repeat(1_048_576)}`), 431],
    ['a header of a megabyte', get(CHATS, `X-Note: ${'a'.repeat(1_048_576)}`), 431],
    ['65 headers', get(CHATS, ...Array.from({ length: 63 }, (_, n) => `X-${n}: 1`)), 400],
    ['thousands of headers', get(CHATS, ...Array.from({ length: 3_000 }, () => 'A: 1')), 431],
    ['an encoded question mark', get('/api/default/chats%3Fsession=a'), 404],
    ['a space in the target', get('/api/default/chats and more'), 400],
    ['a line feed in the target', get('/api/default/chats\nX-A: b'), 400],
  ])('%s is refused', async (_, bytes, status) => {
    expect(await talk(demo.port, bytes)).toEqual([status]);
    expect(backend.requests).toEqual([]);
  });
});

describe('a method or version that is not one of ours', () => {
  test.each([
    ['TRACE', `TRACE ${CHATS} HTTP/1.1`, [405]],
    ['PROPFIND', `PROPFIND ${CHATS} HTTP/1.1`, [405]],
    ['PATCH of a route that sends', 'PATCH /api/sendText HTTP/1.1', [405]],
    ['OPTIONS, which the engine answers itself', `OPTIONS ${CHATS} HTTP/1.1`, [204]],
    ['OPTIONS of all', 'OPTIONS * HTTP/1.1', [400]],
    ['a method of the wrong case', `get ${CHATS} HTTP/1.1`, [400]],
    ['a method that nobody knows', `GETS ${CHATS} HTTP/1.1`, [400]],
    ['the version of 1991', `GET ${CHATS}`, [400]],
    ['a version to come', `GET ${CHATS} HTTP/3.0`, [400]],
    ['a version of another form', `GET ${CHATS} HTTP/2.0`, [400]],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0', [400]],
    // The connection is cut without an answer, because it would have become a tunnel.
    ['CONNECT to elsewhere', 'CONNECT evil.test:443 HTTP/1.1', []],
    ['CONNECT to a route', `CONNECT ${CHATS} HTTP/1.1`, []],
  ])('%s is refused', async (_, line, statuses) => {
    expect((await talk(demo.port, written(line) + SMUGGLED)).slice(0, 1)).toEqual(statuses);
    expect(await strayRequests(backend)).toEqual([]);
  });
});

describe('a request with more than the backend should see', () => {
  test.each([
    ['an upgrade', ['Connection: Upgrade, close', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']],
    [
      'an upgrade to HTTP/2',
      ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
    ],
    ['headers of the connection', ['Connection: keep-alive, X-API-Key', 'Keep-Alive: 99', 'TE: trailers']],
    ['another method', ['X-HTTP-Method-Override: DELETE', 'X-Method-Override: DELETE']],
    ['another target', [`X-Original-URL: /api/${VICTIM}/chats`, `X-Rewrite-URL: /api/${VICTIM}/chats`]],
    ['another host', ['X-Forwarded-Host: evil.test', 'Forwarded: host=evil.test', 'X-Host: evil.test']],
    ['credentials of others', ['Authorization: Bearer a', 'Cookie: a=b', 'Proxy-Authorization: Basic a']],
  ])('%s arrives as an ordinary one of the own session', async (_, headers) => {
    const ends = headers.some((header) => header.includes('close'));
    const target = `/api/contacts/all?session=${OWN}&limit=1`;
    expect(await talk(demo.port, get('/api/contacts/all?limit=1', ...headers), { ends })).toEqual([200]);
    expect(backend.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${target}`]);
    expect(await strayRequests(backend)).toEqual([]);
  });

  test('trailers that name another key and session are dropped', async () => {
    const trailers = `0\r\nX-API-Key: a\r\nSession: ${VICTIM}\r\n\r\n`;
    const bytes = post(['Transfer-Encoding: chunked', 'Trailer: X-API-Key'], CHUNK.replace('0\r\n\r\n', trailers));
    expect(await talk(demo.port, bytes)).toEqual([200]);
    expect(await strayRequests(backend)).toEqual([]);
    expect(await backend.requests[0]?.body).toBe(`{"session":"${OWN}","chatId":"1@c.us"}`);
  });

  test('an expectation that nobody knows is refused', async () => {
    const bytes = post(['Expect: 200-ok', LENGTH], BODY);
    expect(await talk(demo.port, bytes)).toEqual([417]);
    expect(backend.requests).toEqual([]);
  });
});
