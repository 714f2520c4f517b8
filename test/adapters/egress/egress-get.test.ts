import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DownloadFailure } from '../../../adapters/egress/download.ts';
import { createEgress } from '../../../adapters/egress/egress.ts';
import { Spool } from '../../../adapters/spool.ts';
import { eventually } from '../../support/eventually.ts';
import { startFileServer } from '../../support/file-server.ts';
import type { FileServer } from '../../support/file-server.ts';
import { SELF_SIGNED } from '../../support/self-signed.ts';

const MAX_BYTES = 10_000;
/** Larger than what is kept in memory while it comes. */
const LARGE = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => index % 251));
const egress = createEgress({ allow: ['127.0.0.1/32'], userAgent: 'test' });
const strict = createEgress({ allow: [], userAgent: 'test' });
/** Connections that the server saw end before it had answered. */
const cutOff: string[] = [];
let server: FileServer;

function forEver(response: ServerResponse, chunk: Buffer, everyMs: number, name: string): void {
  response.writeHead(200, { 'content-type': 'image/png' });
  const timer = setInterval(() => response.write(chunk), everyMs);
  response.on('close', () => {
    clearInterval(timer);
    cutOff.push(name);
  });
}

function redirect(location: string): (response: ServerResponse) => void {
  return (response) => void response.writeHead(302, { location }).end('moved');
}

beforeAll(async () => {
  server = await startFileServer({
    '/file': (response) => {
      response.writeHead(200, {
        'content-type': 'application/PDF; charset=binary',
        'content-disposition': `attachment; filename="plain.pdf"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf`,
      });
      response.end('%PDF-1.7');
    },
    '/exactly': (response) => void response.end(Buffer.alloc(MAX_BYTES)),
    '/named/photo%20one.jpg?v=1': (response) => void response.end('x'),
    '/said-too-large': (response) => {
      response.writeHead(200, { 'content-length': MAX_BYTES + 1 }).flushHeaders();
      response.on('close', () => cutOff.push('said-too-large'));
    },
    '/endless': (response) => forEver(response, Buffer.alloc(4_096), 1, 'endless'),
    '/drip': (response) => forEver(response, Buffer.alloc(1), 20, 'drip'),
    '/silent': () => undefined,
    '/bomb': (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)));
    },
    '/reset': (response) => {
      response.writeHead(200, { 'content-length': 5_000 });
      response.write('begun', () => response.socket?.resetAndDestroy());
    },
    '/cut': (response) => {
      response.writeHead(200, { 'content-length': 5_000 });
      response.write('begun', () => response.socket?.end());
    },
    '/large': (response) => void response.writeHead(200).end(LARGE),
    '/moved-1': redirect('/moved-2'),
    '/moved-2': redirect('/moved-3'),
    '/moved-3': redirect('/file'),
    '/moved-too-often': redirect('/moved-1'),
    '/moved-to-loopback': redirect('http://[::1]:9/'),
    '/moved-to-metadata': redirect('http://169.254.169.254/latest/meta-data'),
    '/moved-to-a-file': redirect('file:///etc/passwd'),
    '/moved-with-password': redirect('http://user:pass@127.0.0.1/'),
    '/forbidden': (response) => void response.writeHead(403).end('go away'),
    '/nothing-there': (response) => void response.writeHead(204).end(),
  });
});

afterAll(async () => {
  await server.close();
  await egress.close();
  await strict.close();
});

async function failureOf(path: string, timeoutMs = 2_000, client = egress): Promise<DownloadFailure> {
  const url = path.startsWith('/') ? server.url + path : path;
  const download = await client.get({ url, timeoutMs, maxBytes: MAX_BYTES });
  if (download.outcome !== 'failed') throw new Error('The download succeeded.');
  return download.failure;
}

describe("a download from a tenant's server", () => {
  it('gives the bytes with what the server calls them', async () => {
    const download = await egress.get({ url: `${server.url}/file`, timeoutMs: 2_000, maxBytes: MAX_BYTES });
    expect(download).toEqual({
      outcome: 'done',
      file: { bytes: Buffer.from('%PDF-1.7'), contentType: 'application/pdf', fileName: 'Grüße.pdf' },
    });
  });

  it('takes a file of exactly the largest size, and a name from the path', async () => {
    const limits = { timeoutMs: 2_000, maxBytes: MAX_BYTES };
    const exact = await egress.get({ url: `${server.url}/exactly`, ...limits });
    expect(exact).toMatchObject({ file: { fileName: null, contentType: null } });
    const named = await egress.get({ url: `${server.url}/named/photo%20one.jpg?v=1`, ...limits });
    expect(named).toMatchObject({ file: { fileName: 'photo one.jpg' } });
  });

  it('asks for room for a file by its real size, and only once all of it has come', async () => {
    const asked: number[] = [];
    const room = (mayGo: boolean) => async (sizeBytes: number) => {
      asked.push(sizeBytes);
      return mayGo;
    };
    const limits = { url: `${server.url}/large`, timeoutMs: 5_000, maxBytes: LARGE.length };
    const download = await egress.get({ ...limits, room: room(true) });
    expect(download.outcome === 'done' && download.file.bytes.equals(LARGE)).toBe(true);
    expect(await egress.get({ ...limits, room: room(false) })).toMatchObject({ failure: { code: 'no_room' } });
    expect(asked).toEqual([LARGE.length, LARGE.length]);
    expect(await egress.get({ ...limits, maxBytes: LARGE.length - 1, room: room(true) })).toMatchObject({
      failure: { code: 'too_large' },
    });
    expect(asked).toHaveLength(2);
  });

  it('goes into a spool where it is too large for memory, by the same rules', async () => {
    const limits = { url: `${server.url}/large`, timeoutMs: 5_000, maxBytes: LARGE.length };
    await using spool = new Spool();
    const loaded = await egress.load(limits, spool);
    expect(loaded).toEqual({ outcome: 'done', named: { contentType: null, fileName: null } });
    expect((await spool.bytes()).equals(LARGE)).toBe(true);
    await using other = new Spool();
    const tooLarge = { outcome: 'failed', failure: { code: 'too_large' } };
    expect(await egress.load({ ...limits, maxBytes: LARGE.length - 1 }, other)).toEqual(tooLarge);
    expect(other.sizeBytes).toBeLessThanOrEqual(LARGE.length + 65_536);
    expect(await egress.load({ ...limits, signal: AbortSignal.abort() }, other)).toMatchObject({ outcome: 'failed' });
    const strange = { ...limits, url: `${server.url}/moved-to-metadata` };
    expect(await egress.load(strange, other)).toEqual({ outcome: 'failed', failure: { code: 'blocked_address' } });
  });

  it('follows three redirects and not a fourth', async () => {
    const limits = { timeoutMs: 2_000, maxBytes: MAX_BYTES };
    expect(await egress.get({ url: `${server.url}/moved-1`, ...limits })).toMatchObject({ outcome: 'done' });
    expect(await failureOf('/moved-too-often')).toEqual({ code: 'redirect_refused' });
  });

  it.each([
    ['/moved-to-loopback', 'blocked_address'],
    ['/moved-to-metadata', 'blocked_address'],
    ['/moved-to-a-file', 'redirect_refused'],
    ['/moved-with-password', 'redirect_refused'],
  ])('judges where %s leads: %s', async (path, code) => {
    expect(await failureOf(path)).toEqual({ code });
  });

  it.each(['127.0.0.1', '127.1', '0x7f000001', 'localhost', '[::ffff:127.0.0.1]', '①②⑦.⓪.⓪.①'])(
    'does not connect to %s where that is not allowed',
    async (host) => {
      const before = server.asked.length;
      const port = new URL(server.url).port;
      expect(await failureOf(`http://${host}:${port}/file`, 2_000, strict)).toEqual({ code: 'blocked_address' });
      expect(server.asked).toHaveLength(before);
    },
  );

  it.each(['ftp://127.0.0.1/', 'file:///etc/passwd', 'not a url', 'http://user:pass@127.0.0.1/'])(
    'refuses %s as an address',
    async (url) => {
      expect(await failureOf(url)).toEqual({ code: 'invalid_url' });
    },
  );

  it('does not read what the server says is too large, and stops reading what turns out to be', async () => {
    expect(await failureOf('/said-too-large')).toEqual({ code: 'too_large' });
    expect(await failureOf('/endless')).toEqual({ code: 'too_large' });
    await eventually(() => cutOff.includes('said-too-large') && cutOff.includes('endless'));
  });

  it('gives a dripping and a silent server no more than the whole deadline', async () => {
    expect(await failureOf('/drip', 300)).toEqual({ code: 'timeout' });
    expect(await failureOf('/silent', 200)).toEqual({ code: 'timeout' });
    await eventually(() => cutOff.includes('drip'));
  });

  it('does not trust a certificate that nobody vouches for', async () => {
    const asked: string[] = [];
    const tls = createServer(SELF_SIGNED, (request, response) => {
      asked.push(request.url ?? '');
      response.end('file');
    });
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    const address = tls.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    expect(await failureOf(`https://127.0.0.1:${port}/file`)).toEqual({ code: 'tls_error' });
    expect(asked).toEqual([]);
    tls.close();
  });

  it('does not unpack', async () => {
    expect(await failureOf('/bomb')).toEqual({ code: 'encoding_refused' });
  });

  it('tells a broken connection from an answer', async () => {
    expect(await failureOf('/reset')).toEqual({ code: 'connection_reset' });
    expect(await failureOf('/cut')).toEqual({ code: 'connection_reset' });
    expect(await failureOf('http://127.0.0.1:1/')).toEqual({ code: 'connection_refused' });
    expect(await failureOf('/forbidden')).toEqual({ code: 'http_status', status: 403 });
    expect(await failureOf('/nothing-there')).toEqual({ code: 'http_status', status: 204 });
  });
});
