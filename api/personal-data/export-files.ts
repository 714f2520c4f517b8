import type { Database } from '../../db/engine/database.ts';
import { listParts } from '../../db/personal-data/export/parts.ts';
import type { ExportPart } from '../../db/personal-data/export/parts.ts';
import { BLOCK_BYTES, headOf, paddingOf } from '../../domain/personal-data/archive.ts';
import type { ByteRange, MediaStore } from '../../domain/sending/media.ts';
import type { Stream } from '../wire/answer.ts';
import { createGate } from '../wire/held.ts';

export type ExportFiles = ReturnType<typeof createExportFiles>;

const PARTS = 100;

interface Means {
  database: Pick<Database, 'read'>;
  store: Pick<MediaStore, 'get'>;
  bounds?: Parameters<typeof createGate>[1];
}

export function createExportFiles({ database, store, bounds }: Means) {
  const gate = createGate('export', bounds);

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
    // A reader that is cut asks for the rest with a range.
    await gate.enterFor(response, { owner: agencyId, agencyId });
    opened();
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
