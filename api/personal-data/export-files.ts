import type { Database } from '../../db/database.ts';
import { listParts } from '../../db/personal-data/export/parts.ts';
import type { ExportPart } from '../../db/personal-data/export/parts.ts';
import { createFairSlots } from '../../domain/fair-slots.ts';
import { BLOCK_BYTES, headOf, paddingOf } from '../../domain/personal-data/archive.ts';
import type { ByteRange, MediaStore } from '../../domain/sending/media.ts';
import { EQUAL_SHARES } from '../../domain/shares.ts';
import type { Stream } from '../wire/answer.ts';
import { enterFor } from '../wire/doors.ts';
import { cutWhenIdle } from '../wire/idle.ts';

export type ExportFiles = ReturnType<typeof createExportFiles>;

/** The downloads that may be under way; an agency has its share of them. */
const DOWNLOADS = { perOwner: 4, inAll: 16, shares: EQUAL_SHARES };
const WAIT_MS = 1_000;
/** A reader that takes nothing for this long is cut; it goes on with a range. */
const IDLE_MS = 60_000;
const PARTS = 100;

interface Means {
  database: Pick<Database, 'read'>;
  store: Pick<MediaStore, 'get'>;
}

export function createExportFiles({ database, store }: Means) {
  const downloads = createFairSlots(DOWNLOADS);

  /** Reads these bytes of an export's file: the heads of its parts are made anew, and nothing is read but what is asked. */
  async function* read(exportId: string, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
    let next = first;
    while (next <= last) {
      const parts = await database.read((queries) => listParts(queries, exportId, { first: next, last, limit: PARTS }));
      const before = next;
      for (const part of parts) {
        const range = { first: Math.max(next, part.position), last };
        for await (const piece of bytesOfPart(part, range)) {
          next += piece.length;
          yield piece;
        }
      }
      // Two blocks of zeros stand behind the last part.
      if (next === before) {
        yield Buffer.alloc(last - next + 1);
        return;
      }
    }
  }

  async function* bytesOfPart(part: ExportPart, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
    const { name, sizeBytes, position } = part;
    const body = position + BLOCK_BYTES;
    const end = body + sizeBytes;
    yield* sliceOf(headOf({ name, sizeBytes }), position, { first, last });
    const wanted = { first: Math.max(first, body) - body, last: Math.min(last, end - 1) - body };
    if (wanted.first <= wanted.last) {
      const bytes = await store.get(part.key, wanted);
      if (bytes === null) throw new Error('The media store has lost a part of an export.');
      yield* bytes;
    }
    yield* sliceOf(Buffer.alloc(paddingOf(sizeBytes)), end, { first, last });
  }

  /** Writes these bytes as the answer. A reader that leaves, or is cut, asks for the rest. */
  async function serve(
    asked: { exportId: string; agencyId: string; range: ByteRange; signal: AbortSignal },
    { response, opened }: Stream,
  ): Promise<void> {
    const { exportId, agencyId, range, signal } = asked;
    await enterFor(response, [{ slots: downloads, owner: agencyId, agencyId }], WAIT_MS);
    opened();
    cutWhenIdle(response, IDLE_MS);
    try {
      for await (const piece of read(exportId, range)) {
        if (signal.aborted || response.destroyed) break;
        // The memory of a piece is used again for the next one.
        if (!response.write(Buffer.from(piece))) await drained(response, signal);
      }
      if (signal.aborted) response.destroy();
      else response.end();
    } catch (error) {
      response.destroy();
      throw error;
    }
  }

  return { read, serve };
}

function* sliceOf(bytes: Buffer, position: number, { first, last }: ByteRange): Generator<Uint8Array> {
  const slice = bytes.subarray(Math.max(0, first - position), Math.max(0, last - position + 1));
  if (slice.length > 0) yield slice;
}

function drained(response: Stream['response'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of ['drain', 'close']) response.off(event, done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    for (const event of ['drain', 'close']) response.once(event, done);
    signal.addEventListener('abort', done);
    if (signal.aborted || response.destroyed) done();
  });
}
