import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { Spool } from '../../../../adapters/spool.ts';
import { startStub } from '../stub-backend.ts';

const FILE = Buffer.alloc(1_000_000, 7);
const request = (url: string, maxBytes = FILE.length) => ({
  url,
  maxBytes,
  timeoutMs: 60_000,
  signal: new AbortController().signal,
});

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** The bytes of buffers that something still holds. */
function memoryInUse(): number {
  if (typeof collect !== 'function') throw new Error('The collector cannot be called.');
  collect();
  return process.memoryUsage().arrayBuffers;
}

describe('loadFile: a file of the backend', () => {
  async function load(url: string, answer: Parameters<typeof startStub>[0], maxBytes?: number) {
    await using stub = await startStub(answer);
    await using spool = new Spool();
    const outcome = await stub.backend.loadFile(request(url, maxBytes), spool);
    return { outcome, bytes: await spool.bytes(), asked: stub.requests };
  }

  it('comes whole, with the key, from the backend itself, whatever host its address names', async () => {
    const { outcome, bytes, asked } = await load('http://wrong.host:1/api/files/s/a.jpg', () => ({ raw: FILE }));
    expect(outcome).toBe('done');
    expect(bytes.equals(FILE)).toBe(true);
    expect(asked[0]).toMatchObject({ path: '/api/files/s/a.jpg', headers: { 'x-api-key': 'the-key' } });
  });

  it('is not asked for under an address that is not the backend’s', async () => {
    const { outcome, asked } = await load('http://bucket.test/secret/a.jpg?signature=x', () => ({ raw: FILE }));
    expect([outcome, asked]).toEqual(['elsewhere', []]);
  });

  it('that is larger than it may be is broken off, and not read at all when it says so', async () => {
    const told = await load('http://b/api/files/s/a', () => ({ raw: FILE }), 1_000);
    expect([told.outcome, told.bytes.length]).toEqual(['too_large', 0]);
    const untold = await load(
      'http://b/api/files/s/a',
      () => (response) => {
        response.write(FILE);
        response.write(FILE);
      },
      FILE.length + 1,
    );
    expect([untold.outcome, untold.bytes.length <= FILE.length + 1]).toEqual(['too_large', true]);
  });

  it('such as a 2 GB video is refused with no more of it in memory than a few pieces, whether it says so or not', async () => {
    const TWO_GB = 2 * 1_024 ** 3;
    const MAX_BYTES = 128 * 1_048_576;
    const said = await load(
      'http://b/api/files/s/a.mp4',
      () => (response) => response.writeHead(200, { 'content-length': String(TWO_GB) }).flushHeaders(),
      MAX_BYTES,
    );
    expect([said.outcome, said.bytes.length]).toEqual(['too_large', 0]);
    // The same piece again and again: as much as anybody takes, up to two gigabytes.
    const piece = Buffer.alloc(65_536, 7);
    let given = 0;
    let peak = 0;
    function* video() {
      for (; given < TWO_GB; given += piece.length) {
        if (given % (16 * 1_048_576) === 0) peak = Math.max(peak, memoryInUse());
        yield piece;
      }
    }
    await using stub = await startStub(() => (response) => {
      Readable.from(video(), { highWaterMark: 1 }).pipe(response);
    });
    await using spool = new Spool();
    const before = memoryInUse();
    expect(await stub.backend.loadFile(request('http://b/api/files/s/a.mp4', MAX_BYTES), spool)).toBe('too_large');
    expect(Math.max(peak, memoryInUse()) - before).toBeLessThan(MAX_BYTES / 2);
    expect(spool.sizeBytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(given).toBeLessThan(4 * MAX_BYTES);
  });

  it('that comes slowly is waited for, and one that stops coming is given up', async () => {
    const drip = (pieces: number) => () => (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '5' });
      let given = 0;
      const timer = setInterval(() => {
        if (given < pieces) response.write('x');
        given += 1;
      }, 100);
      response.on('close', () => clearInterval(timer));
    };
    const loadWithin = async (idleMs: number, pieces: number) => {
      await using stub = await startStub(drip(pieces));
      await using spool = new Spool();
      const outcome = await stub.backend.loadFile({ ...request('http://b/api/files/s/a'), idleMs }, spool);
      return { outcome, sizeBytes: spool.sizeBytes };
    };
    expect(await loadWithin(60_000, 5)).toEqual({ outcome: 'done', sizeBytes: 5 });
    await expect(loadWithin(300, 2)).rejects.toMatchObject({ code: 'backend_unavailable' });
  });

  it('that this machine cannot keep for the moment is no fault of the backend, and is tried again', async () => {
    await using stub = await startStub(() => ({ raw: FILE }));
    await using spool = new Spool('/nowhere/at/all');
    await expect(stub.backend.loadFile(request('http://b/api/files/s/a'), spool)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('TMPDIR'),
    });
  });

  it('that the backend has deleted is gone, and trouble of the backend is an error', async () => {
    const gone = await load('http://b/api/files/s/a', () => ({ status: 404, json: { message: 'ENOENT' } }));
    expect(gone.outcome).toBe('gone');
    await expect(load('http://b/api/files/s/a', () => ({ status: 500, json: {} }))).rejects.toMatchObject({
      code: 'backend_error',
    });
    await expect(
      load('http://b/api/files/s/a', () => (response) => {
        response.writeHead(200, { 'content-length': '10' }).write('half');
        setImmediate(() => response.destroy());
      }),
    ).rejects.toMatchObject({ code: 'backend_unavailable' });
  });
});

describe('askForFile: a file that is to be fetched again', () => {
  const message = {
    session: 's',
    chatId: '120363@g.us',
    networkId: 'AAA',
    fromMe: false,
    participant: '15550100001@c.us',
    platform: 'WEBJS',
  };
  const version = { json: { version: '2026.7.1', engine: 'WEBJS' } };

  it('is asked for with its message, by the whole id where the engine needs that', async () => {
    const media = { url: 'http://b/api/files/s/new.jpg', mimetype: 'image/jpeg', filename: null };
    await using stub = await startStub(({ path }) =>
      path === '/api/server/version'
        ? version
        : { json: { id: 'false_120363@g.us_AAA_15550100001@c.us', from: '120363@g.us', hasMedia: true, media } },
    );
    expect(await stub.backend.askForFile(message)).toMatchObject({ url: media.url });
    expect(await stub.backend.askForFile({ ...message, platform: 'NOWEB' })).toMatchObject({ url: media.url });
    expect(stub.requests.filter(({ path }) => path !== '/api/server/version')).toMatchObject([
      {
        path: '/api/s/chats/120363@g.us/messages/false_120363@g.us_AAA_15550100001@c.us',
        query: { downloadMedia: 'true' },
      },
      { path: '/api/s/chats/all/messages/AAA' },
    ]);
  });

  it('is nowhere when the backend does not know the message', async () => {
    await using stub = await startStub(({ path }) =>
      path === '/api/server/version' ? version : { status: 404, json: { message: 'Message not found' } },
    );
    expect(await stub.backend.askForFile(message)).toBeNull();
  });
});
