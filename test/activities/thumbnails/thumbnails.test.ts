import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { createThumbnails } from '../../../activities/thumbnails/thumbnails.ts';
import type { Thumbnails } from '../../../activities/thumbnails/thumbnails.ts';
import type { FileContent } from '../../../domain/sending/media.ts';

const thumbnails = createThumbnails();
let directory: string;
let photo: Buffer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'thumbnails-'));
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  photo = await sharp({ create: { width: 1_200, height: 800, channels: 3, background: '#fff', noise } })
    .jpeg()
    .toBuffer();
});

afterAll(async () => {
  thumbnails.stop();
  await rm(directory, { recursive: true });
});

function content(bytes: Uint8Array): FileContent {
  return {
    sizeBytes: bytes.length,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    },
  };
}

const make = (bytes: Uint8Array, by: Thumbnails = thumbnails) => by.make('acme', content(bytes));

/** A PNG that says that it is so large, and has the pixels of one line. */
function aBomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(width + 1))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A program in place of the one that makes thumbnails. */
async function aProgram(source: string): Promise<string> {
  const path = join(directory, `${source.length}.mjs`);
  await writeFile(path, source);
  return path;
}

describe('the thumbnail of a picture', () => {
  it('is a WebP that fits a box, whatever the picture is', async () => {
    const made = await make(photo);
    if (made === null || 'refused' in made) throw new Error('There should be one.');
    expect([made.width, made.height]).toEqual([320, 213]);
    expect(await sharp(made.bytes).metadata()).toMatchObject({ format: 'webp', width: 320, height: 213 });
    const small = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect(await make(small)).toMatchObject({ width: 40, height: 30 });
  });

  it('is not made of a zip bomb of a picture, which is too large once it is unpacked, and nothing crashes', async () => {
    const bomb = aBomb(30_000, 30_000);
    expect(bomb.length).toBeLessThan(10_000);
    expect(await make(bomb)).toEqual({ refused: 'too_many_pixels' });
    expect(await make(aBomb(1, 20_001))).toEqual({ refused: 'too_many_pixels' });
    expect(await thumbnails.make('acme', { sizeBytes: 33 * 1_048_576, chunks: () => content(photo).chunks() })).toEqual(
      {
        refused: 'too_large',
      },
    );
    expect(await make(photo)).toMatchObject({ width: 320 });
  });

  it('is not made of a part of a file, of a drawing, or of what is no picture', async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><image href="/etc/passwd"/></svg>';
    const others = [photo.subarray(0, photo.length / 2), Buffer.from(drawing), Buffer.from('<html>'), Buffer.alloc(0)];
    for (const each of others) expect(await make(each)).toEqual({ refused: 'not_readable' });
    expect(await make(photo)).toMatchObject({ width: 320 });
  });

  it('is given up with the program that hangs or crashes, and the next picture has another program', async () => {
    const hangs = createThumbnails({ timeoutMs: 50, program: await aProgram('process.stdin.resume();') });
    expect(await make(photo, hangs)).toEqual({ refused: 'too_slow' });
    const crashes = createThumbnails({ program: await aProgram('process.exit(1);') });
    expect(await make(photo, crashes)).toEqual({ refused: 'crashed' });
    expect(await make(photo, crashes)).toEqual({ refused: 'crashed' });
    hangs.stop();
  });

  it('is made of one picture at a time, and a picture that waits too long for its turn has none', async () => {
    const one = createThumbnails({
      waitMs: 50,
      timeoutMs: 400,
      program: await aProgram('process.stdin.resume(); 0;'),
    });
    const answers = await Promise.all([make(photo, one), make(photo, one), one.make('globex', content(photo))]);
    expect(answers).toEqual([{ refused: 'too_slow' }, null, null]);
    one.stop();
  });

  it('is made in turns of agencies, however many pictures one of them has', async () => {
    const turns = createThumbnails();
    const made: string[] = [];
    const agencies = [...Array.from({ length: 6 }, () => 'acme'), 'globex'];
    await Promise.all(
      agencies.map(async (agency) => {
        expect(await turns.make(agency, content(photo), 45_000)).toMatchObject({ width: 320 });
        made.push(agency);
      }),
    );
    expect(made.indexOf('globex')).toBeLessThanOrEqual(2);
    turns.stop();
  });

  it('is made by a program that has nothing of the engine in its environment', async () => {
    const shows = await aProgram(
      "process.stdin.once('data', () => process.send({ refused: Object.keys(process.env).join() }));",
    );
    const shown = createThumbnails({ program: shows });
    expect(await make(photo, shown)).toEqual({ refused: 'UV_THREADPOOL_SIZE,MALLOC_ARENA_MAX' });
    shown.stop();
  });
});
