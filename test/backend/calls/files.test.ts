import { describe, expect, it } from '@jest/globals';
import { Spool } from '../../../backend/http/spool.ts';
import { startStub } from '../stub-backend.ts';

const FILE = Buffer.alloc(1_000_000, 7);
const request = (url: string, maxBytes = FILE.length) => ({
  url,
  maxBytes,
  timeoutMs: 10_000,
  signal: new AbortController().signal,
});

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
