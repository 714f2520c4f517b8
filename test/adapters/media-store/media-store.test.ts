import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDirectoryStore } from '../../../adapters/media-store/directory.ts';
import { createS3Store } from '../../../adapters/media-store/s3.ts';
import { mediaKey } from '../../../domain/sending/media.ts';
import type { ByteRange, MediaStore } from '../../../domain/sending/media.ts';
import { S3_KEYS, startS3Server } from '../../support/s3-server.ts';

const FILE = Buffer.from('0123456789');
const KEY = keyOf('acme', FILE);
let directory: string;
let s3: Awaited<ReturnType<typeof startS3Server>>;
const stores: Record<string, MediaStore> = {};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'media-store-'));
  s3 = await startS3Server();
  stores['directory'] = createDirectoryStore(directory);
  stores['bucket'] = createS3Store({ endpoint: s3.endpoint, bucket: 'media', ...S3_KEYS });
});

afterAll(async () => {
  await s3.close();
  await rm(directory, { recursive: true });
});

function keyOf(agencyId: string, bytes: Buffer): string {
  return mediaKey(agencyId, createHash('sha256').update(bytes).digest('hex'));
}

function named(name: string): MediaStore {
  const store = stores[name];
  if (!store) throw new Error('There is no such store.');
  return store;
}

async function read(store: MediaStore, key: string, range?: ByteRange): Promise<string | null> {
  const bytes = await store.get(key, range);
  return bytes && text(bytes);
}

describe.each(['directory', 'bucket'])('a %s', (name) => {
  it('gives back what was put, whole or a part of it', async () => {
    const store = named(name);
    expect(await read(store, KEY)).toBeNull();
    await store.put(KEY, FILE, 'text/plain');
    expect(await read(store, KEY)).toBe('0123456789');
    expect(await read(store, KEY, { first: 2, last: 4 })).toBe('234');
  });

  it('keeps a file once, however often and by how many it is put at a time', async () => {
    const store = named(name);
    await Promise.all(Array.from({ length: 5 }, () => store.put(KEY, FILE, 'text/plain')));
    expect(await read(store, KEY)).toBe('0123456789');
    const kept = name === 'bucket' ? [...s3.objects.keys()] : await readdir(join(directory, 'acme'));
    expect(kept).toHaveLength(1);
  });

  it('takes a file piece by piece', async () => {
    const store = named(name);
    const pieces = ['some ', 'pieces'].map((piece) => Buffer.from(piece));
    const whole = Buffer.concat(pieces);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield* pieces;
    }
    await store.put(keyOf('pieces', whole), { sizeBytes: whole.length, chunks }, 'text/plain');
    expect(await read(store, keyOf('pieces', whole))).toBe('some pieces');
  });

  it('keeps the files of agencies apart', async () => {
    expect(await read(named(name), keyOf('globex', FILE))).toBeNull();
  });
});

describe('a directory', () => {
  it('that cannot be written says so without its path', async () => {
    const inAFile = createDirectoryStore(join(directory, 'acme', KEY.slice('acme/'.length)));
    await expect(inAFile.put(KEY, FILE, 'text/plain')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The media store cannot be written.',
    });
  });
});

describe('a bucket', () => {
  it('is told the type, and refuses what is signed with another secret', async () => {
    const path = `/media/${KEY}`;
    expect(s3.objects.get(path)?.contentType).toBe('text/plain');
    const other = createS3Store({ endpoint: s3.endpoint, bucket: 'media', ...S3_KEYS, secretAccessKey: 'wrong' });
    await expect(other.get(KEY)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(other.put(KEY, FILE, 'text/plain')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('that fails is told apart from a file that is not there, in words of ours', async () => {
    s3.failures.push(503, 500);
    await expect(named('bucket').get(KEY)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(named('bucket').put(KEY, FILE, 'text/plain')).rejects.toThrow('The media store returned 500 to PUT.');
    const nowhere = createS3Store({ endpoint: 'http://127.0.0.1:1', bucket: 'media', ...S3_KEYS });
    await expect(nowhere.get(KEY)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a list of a bucket', () => {
  /** A bucket of which every list is this. */
  async function listing(page: string, work: (store: MediaStore) => Promise<void>): Promise<void> {
    const server = createServer((_request, response) => void response.end(page));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      await work(createS3Store({ endpoint: `http://127.0.0.1:${port}`, bucket: 'media', ...S3_KEYS }));
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
  const all = async (store: MediaStore): Promise<string[]> => {
    const keys: string[] = [];
    for await (const key of store.keys('')) keys.push(key);
    return keys;
  };

  it.each([
    ['begins at the same place again and again', `<Key>${KEY}</Key><IsTruncated>true</IsTruncated>`, 'keeps listing'],
    ['does not end', `<Key>${'x'.repeat(9_000_000)}`, 'too long'],
  ])('that %s is given up', async (_what, page, said) => {
    await listing(page, (store) => expect(all(store)).rejects.toThrow(said));
  });
});

describe('a key', () => {
  it.each([
    ['../../etc', 'a'.repeat(64)],
    ['acme', '../passwd'],
    ['', 'a'.repeat(64)],
    ['acme', 'A'.repeat(64)],
  ])('is not made of %j and %j', (agencyId, sha256) => {
    expect(() => mediaKey(agencyId, sha256)).toThrow('A media key');
  });
});
