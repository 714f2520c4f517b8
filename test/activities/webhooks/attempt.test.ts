import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createEgress } from '../../../adapters/egress/egress.ts';
import type { Egress } from '../../../adapters/egress/egress.ts';
import { attemptDelivery } from '../../../activities/webhooks/attempt.ts';
import type { Attempt, AttemptTarget } from '../../../activities/webhooks/attempt.ts';
import { signingKeys } from '../../../activities/webhooks/signature.ts';
import { AUTHORITY, EXPIRED, VALID } from '../../support/certificates.ts';
import { answer, drip, flood, listen, says, serve as serveRaw, verdict } from './a-raw-receiver.ts';
import type { Behaviour } from './a-raw-receiver.ts';
import { SELF_SIGNED } from '../../support/self-signed.ts';

const SECRET = 'a secret of more than thirty-two characters';
const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('an attempt', () => {
  const ends: (() => unknown)[] = [];
  const egress = egressOf({ allow: LOOPBACK });

  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  function egressOf(options: Partial<Parameters<typeof createEgress>[0]>): Egress {
    return createEgress({ allow: [], userAgent: 'test', ...options });
  }

  async function serve(server: Server, behave: Behaviour): Promise<number> {
    const { port, close } = await serveRaw(server, behave);
    ends.push(close);
    return port;
  }

  const receiver = async (behave: Behaviour): Promise<string> =>
    `http://127.0.0.1:${await serve(createServer(), behave)}/hook`;

  const delivery = { eventId: 'evt_1', body: '{"event":"message","payload":{"body":"Olá 👋"}}', attempts: 2 };

  function attempt(url: string, more: Partial<AttemptTarget> = {}, by = egress): Promise<Attempt> {
    const target = { url, timeoutMs: 5_000, keys: signingKeys([SECRET]), headers: {}, ...more };
    return attemptDelivery({ egress: by, database: { clock: { outside: () => new Date() } } }, target, delivery);
  }

  /** The client lets a turn of the event loop go by before it takes a connection again. */
  const untilIdle = (): Promise<void> => new Promise((idle) => setImmediate(() => setImmediate(idle)));

  const COUNTS = { counts: true, charged: true, slows: false, over: false };

  it.each([
    ['200', 'delivered', { over: true, counts: false }],
    ['204', 'delivered', { over: true }],
    ['299', 'delivered', { over: true }],
    ['302', 'redirect_not_followed', { ...COUNTS, delayMs: 5 * SECOND }],
    ['400', 'client_error', { ...COUNTS, delayMs: 5 * SECOND }],
    ['401', 'client_error', COUNTS],
    ['403', 'client_error', COUNTS],
    ['404', 'client_error', COUNTS],
    ['405', 'client_error', COUNTS],
    ['413', 'client_error', COUNTS],
    ['415', 'client_error', COUNTS],
    ['422', 'client_error', COUNTS],
    ['408', 'not_ready', COUNTS],
    ['425', 'not_ready', COUNTS],
    ['500', 'server_error', { ...COUNTS, delayMs: 5 * SECOND }],
    ['501', 'server_error', COUNTS],
    ['503', 'server_error', COUNTS],
    ['410', 'gone', COUNTS],
    ['429', 'throttled', { counts: false, charged: true, slows: true, over: false }],
    ['502', 'gateway_error', { ...COUNTS, slows: true, delayMs: MINUTE }],
    ['504', 'gateway_error', { ...COUNTS, slows: true, delayMs: MINUTE }],
  ] as const)('that is answered %s is %s', async (status, attemptClass, follows) => {
    const made = await attempt(await receiver(says(`${status} Some`)));
    expect(made).toMatchObject({ class: attemptClass, status: Number(status), reused: false });
    expect(made.connectMs).toBeLessThanOrEqual(made.firstByteMs ?? 0);
    expect(made.firstByteMs).toBeLessThanOrEqual(made.durationMs);
    expect(verdict(made)).toMatchObject(follows);
  });

  it('follows no redirect to loopback, and says where it points', async () => {
    let reached = 0;
    const inside = await receiver((socket) => {
      reached += 1;
      socket.write(answer('200 OK'));
    });
    const made = await attempt(await receiver(says('307 Elsewhere', `location: ${inside}\r\n`)));
    expect(made).toMatchObject({ class: 'redirect_not_followed', location: inside });
    expect(reached).toBe(0);
  });

  it.each([
    ['seconds', () => '120', 120 * SECOND],
    ['a fraction', () => '7.25', 7_250],
    ['a date', () => new Date(Date.now() + HOUR).toUTCString(), HOUR],
    ['too long', () => '1e9', 24 * HOUR],
    ['nothing that can be read', () => 'soon', 5 * SECOND],
    ['less than the ladder', () => '1', 5 * SECOND],
  ])('waits as it is asked to by %s', async (_form, retryAfter, delayMs) => {
    for (const status of ['429 Slow', '503 Later', '408 Late', '425 Early', '500 Oh']) {
      const made = await attempt(await receiver(says(status, `retry-after: ${retryAfter()}\r\n`)));
      const { delayMs: found, restsUntil } = verdict(made);
      expect(Math.abs((found ?? 0) - delayMs)).toBeLessThan(4 * SECOND);
      expect(restsUntil !== null).toBe(status.startsWith('429'));
    }
  });

  it.each<[string, string, Behaviour]>([
    ['that gets no answer', 'timeout', () => undefined],
    ['whose headers drip', 'timeout', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')],
    [
      'that gets informational answers only',
      'timeout',
      (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50), 60),
    ],
    ['that is reset', 'connection_reset', (socket) => void socket.resetAndDestroy()],
    ['that is closed without an answer', 'connection_reset', (socket) => void socket.end()],
    ['whose answer is not HTTP', 'invalid_response', (socket) => void socket.write('220 mail.example ESMTP\r\n\r\n')],
    [
      'whose headers do not end',
      'invalid_response',
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}\r\n`),
    ],
  ])('%s is %s', async (_what, attemptClass, behave) => {
    const made = await attempt(await receiver(behave), { timeoutMs: attemptClass === 'timeout' ? 300 : 5_000 });
    expect(made).toMatchObject({ class: attemptClass, status: null });
    expect(verdict(made)).toMatchObject({ ...COUNTS, delayMs: attemptClass === 'timeout' ? MINUTE : 5 * SECOND });
  });

  const bomb = gzipSync(Buffer.alloc(5_000_000));
  it.each<[string, Behaviour, RegExp | null]>([
    [
      'drips',
      (socket) => drip(socket, `HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n${'x'.repeat(900)}`, 60, 40),
      /^x+$/,
    ],
    ['never comes', (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n'), null],
    ['does not end', (socket) => flood(socket), /^x{16384}$/],
    [
      'is a gzip bomb',
      (socket) =>
        void socket.write(
          Buffer.concat([
            Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
            bomb,
          ]),
        ),
      /^base64:H4sI/,
    ],
    ['breaks off', (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf'), /^half$/],
  ])('is delivered with the headers of a 2xx though its body %s', async (_what, behave, excerpt) => {
    const made = await attempt(await receiver(behave), { timeoutMs: 20_000 });
    expect(made).toMatchObject({ class: 'delivered', status: 200 });
    // A second for the body, not the deadline.
    expect(made.durationMs).toBeLessThan(10_000);
    if (excerpt === null) expect(made.excerpt).toBeNull();
    else expect(made.excerpt).toMatch(excerpt);
    expect((made.excerpt ?? '').length).toBeLessThan(23_000);
  });

  it('keeps of an answer what is text, to the last whole character and without NUL', async () => {
    const made = await attempt(await receiver(says('400 No', '', `a\u0000b${'é'.repeat(9_000)}`)));
    expect(made.excerpt).toBe(`ab${'é'.repeat(8_190)}`);
  });

  it('that finds its connection stale is made once more over a new one, at once', async () => {
    let requests = 0;
    const url = await receiver((socket, _request, count) => {
      requests += 1;
      if (count === 1) socket.write(answer('200 OK'));
      else socket.resetAndDestroy();
    });
    expect(await attempt(url)).toMatchObject({ class: 'delivered', reused: false });
    await untilIdle();
    expect(await attempt(url)).toMatchObject({ class: 'delivered', reused: false });
    expect(requests).toBe(3);
  });

  it('uses a connection again and says so', async () => {
    const url = await receiver(says('200 OK', '', 'ok'));
    expect(await attempt(url)).toMatchObject({ reused: false });
    await untilIdle();
    expect(await attempt(url)).toMatchObject({ reused: true, connectMs: 0 });
  });

  it('that is refused, or to a name that does not exist, says so and was made', async () => {
    const server = createServer();
    const port = await listen(server);
    server.close();
    await once(server, 'close');
    expect(await attempt(`http://127.0.0.1:${port}/`)).toMatchObject({ class: 'connection_refused', connectMs: null });
    const nowhere = egressOf({
      resolve: (_host, _options, callback) => callback(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), []),
    });
    expect(await attempt('http://nobody.test/', {}, nowhere)).toMatchObject({ class: 'dns_error' });
    const noDescriptors = egressOf({
      resolve: (_host, _options, callback) => callback(Object.assign(new Error('full'), { code: 'EMFILE' }), []),
    });
    const ours = await attempt('http://somebody.test/', {}, noDescriptors);
    expect(ours.class).toBe('engine_error');
    expect(verdict(ours)).toMatchObject({ charged: false, counts: false, nextAttemptAt: null });
  });

  it('verifies TLS: what is expired, self-signed or for another name is an error, what is in order is not', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, AUTHORITY]);
    ends.push(() => setDefaultCACertificates(before));
    const url = async (certificate: { key: string; cert: string }, host = 'localhost') =>
      `https://${host}:${await serve(createTlsServer(certificate), says('200 OK'))}/`;
    const local = egressOf({
      allow: LOOPBACK,
      resolve: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    expect(await attempt(await url(VALID), {}, local)).toMatchObject({ class: 'delivered' });
    expect(await attempt(await url(EXPIRED), {}, local)).toMatchObject({ class: 'tls_error' });
    expect(await attempt(await url(SELF_SIGNED), {}, local)).toMatchObject({ class: 'tls_error' });
    expect(await attempt(await url(VALID, 'other.test'), {}, local)).toMatchObject({ class: 'tls_error' });
  });

  it.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://0:PORT/',
    'http://0.0.0.0:PORT/',
    'http://localhost:PORT/',
    'http://LOCALHOST:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[0:0:0:0:0:ffff:7f00:1]:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
  ])('to %s makes no connection', async (spelling) => {
    let connections = 0;
    const server = createServer(() => (connections += 1));
    ends.push(() => server.close());
    const url = spelling.replace('PORT', String(await listen(server)));
    const made = await attempt(url, {}, egressOf({}));
    expect(made).toMatchObject({ class: 'blocked_address', excerpt: null });
    expect(verdict(made)).toMatchObject({ ...COUNTS, delayMs: HOUR });
    expect(connections).toBe(0);
  });

  it('asks for the addresses anew with each connection: a name that turns private is refused', async () => {
    const port = await serve(createServer(), (socket) => void socket.end(answer('200 OK', 'connection: close\r\n')));
    let address = '127.0.0.1';
    const flipping = egressOf({
      allow: ['127.0.0.1/32'],
      resolve: (_host, _options, callback) => callback(null, [{ address, family: 4 }]),
    });
    expect(await attempt(`http://flips.test:${port}/`, {}, flipping)).toMatchObject({ class: 'delivered' });
    address = '127.0.0.2';
    expect(await attempt(`http://flips.test:${port}/`, {}, flipping)).toMatchObject({ class: 'blocked_address' });
  });

  it.each([
    ['branded', `whsec_${Buffer.alloc(32, 5).toString('base64')}`],
    ['raw', SECRET],
  ])('is verified by the public library with a %s secret, and by an old one beside it', async (_form, secret) => {
    let seen = '';
    const url = await receiver((socket, request) => {
      seen = request;
      socket.write(answer('200 OK'));
    });
    const old = 'the secret before that, of more than thirty-two';
    await attempt(url, {
      keys: signingKeys([secret, old]),
      headers: { 'X-Shop': 'one', Host: 'elsewhere.test', 'Webhook-Id': 'mine', 'Content-Type': 'text/plain' },
    });
    const [head = '', body = ''] = Buffer.from(seen, 'latin1').toString('utf8').split('\r\n\r\n');
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    expect(body).toBe(delivery.body);
    expect(headers).toMatchObject({
      'x-shop': 'one',
      'content-type': 'application/json',
      'webhook-attempt': '3',
      'webhook-id': 'evt_1',
    });
    expect(headers['host']).toMatch(/^127/);
    const current = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
    for (const webhook of [current, new Webhook(old, { format: 'raw' })])
      expect(() => webhook.verify(body, headers)).not.toThrow();
  });
});
