import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createS3Store } from '../../adapters/media-store/s3.ts';
import type { S3Options } from '../../adapters/media-store/s3.ts';
import { isMediaKey, mediaKey, thumbnailKey } from '../../domain/sending/media.ts';
import type { ByteRange, FileContent } from '../../domain/sending/media.ts';
import { until } from '../demo/until.ts';
import { freePort } from '../../local/embedded/port.ts';

/*
 * Runs the media store against a real S3 server, Versity's gateway on a directory, which Go builds from its module: the
 * tests' own server knows no more of S3 than the engine asks of it.
 */

const SERVER = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const KEYS = { region: 'us-east-1', accessKeyId: 'media-test', secretAccessKey: randomBytes(16).toString('hex') };
const LARGE_BYTES = 20 * 1_048_576;

const directory = await mkdtemp(join(tmpdir(), 'engine-s3-'));
const { PATH = '', HOME = '', GOPROXY, GOFLAGS } = process.env;
const inherited = { PATH, HOME, ...(GOPROXY ? { GOPROXY } : {}), ...(GOFLAGS ? { GOFLAGS } : {}) };
try {
  process.stdout.write(`builds ${SERVER}\n`);
  await promisify(execFile)('go', ['install', SERVER], { env: { ...inherited, GOBIN: directory } });
  const port = await freePort();
  await mkdir(join(directory, 'data', 'media'), { recursive: true });
  const server = spawn(
    join(directory, 'versitygw'),
    ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', join(directory, 'data')],
    {
      env: { ...inherited, ROOT_ACCESS_KEY: KEYS.accessKeyId, ROOT_SECRET_KEY: KEYS.secretAccessKey },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  try {
    const endpoint = `http://127.0.0.1:${port}`;
    await until('the server', async () => (await fetch(endpoint).catch(() => null)) !== null);
    await tryStore({ endpoint, bucket: 'media', ...KEYS });
    process.stdout.write('The media store works with it.\n');
  } finally {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function tryStore(options: S3Options): Promise<void> {
  const store = createS3Store(options);
  const read = async (key: string, range?: ByteRange): Promise<Buffer | null> => {
    const bytes = await store.get(key, range);
    return bytes && buffer(bytes);
  };
  const list = async (after: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const key of store.keys(after)) keys.push(key);
    return keys;
  };

  const small = Buffer.from('0123456789');
  const key = keyOf('acme', small);
  assert.equal(await read(key), null, 'a file that is not there');
  await store.put(key, small, 'text/plain');
  await store.put(key, small, 'text/plain');
  assert.deepEqual(await read(key), small, 'a whole file');
  assert.equal((await read(key, { first: 2, last: 4 }))?.toString(), '234', 'a range');

  const large = randomBytes(LARGE_BYTES);
  const streamed = keyOf('acme', large);
  await store.put(streamed, inPieces(large), 'video/mp4');
  assert.ok(large.equals((await read(streamed)) ?? small), 'a streamed file');
  const last = { first: LARGE_BYTES - 5, last: LARGE_BYTES - 1 };
  assert.deepEqual(await read(streamed, last), large.subarray(-5), 'the end of a streamed file');

  await store.put(thumbnailKey(key), Buffer.from('small'), 'image/webp');
  assert.equal((await read(thumbnailKey(key)))?.toString(), 'small', 'a thumbnail');

  const many = Array.from({ length: 1_100 }, (_, index) => Buffer.from(`file ${index}`));
  for (let at = 0; at < many.length; at += 50) {
    await Promise.all(many.slice(at, at + 50).map((each) => store.put(keyOf('many', each), each, 'text/plain')));
  }
  const expected = [key, streamed, ...many.map((each) => keyOf('many', each))].toSorted();
  assert.deepEqual(await list(''), expected, 'all keys in the order of their bytes, without thumbnails');
  const behind = expected[500] ?? '';
  assert.deepEqual(await list(behind), expected.slice(501), 'the keys behind one');
  assert.ok(expected.every(isMediaKey));

  const other = keyOf('acme', Buffer.from('another'));
  await assert.rejects(store.put(other, inPieces(small), 'text/plain'), /returned 4\d\d/, 'a wrong digest');
  assert.equal(await read(other), null, 'what had a wrong digest');
  const stranger = createS3Store({ ...options, secretAccessKey: 'another' });
  await assert.rejects(stranger.get(key), /returned 403/, 'a wrong secret');
  await assert.rejects(stranger.delete(key), /returned 403/, 'a deletion with a wrong secret');

  await store.delete(key);
  await store.delete(key);
  assert.equal(await read(key), null, 'a deleted file');
}

function keyOf(agencyId: string, bytes: Buffer): string {
  return mediaKey(agencyId, createHash('sha256').update(bytes).digest('hex'));
}

function inPieces(bytes: Buffer): FileContent {
  return {
    sizeBytes: bytes.length,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    },
  };
}
