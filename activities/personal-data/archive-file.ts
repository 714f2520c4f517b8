import { open } from 'node:fs/promises';
import {
  BLOCK_BYTES,
  bytesOf,
  ImportRefused,
  paddingOf,
  readHead,
  TRAILER_BYTES,
} from '../../domain/personal-data/archive.ts';
import type { ArchiveEntry } from '../../domain/personal-data/archive.ts';

/** A part of a file, and where it stands. */
export interface PlacedEntry extends ArchiveEntry {
  /** The position of its first byte. */
  position: number;
  /** The position of the next part. */
  next: number;
}

/** The file of an export on this machine's disk, of which no more than a piece is in memory. */
export interface ArchiveFile extends AsyncDisposable {
  sizeBytes: number;
  /** Lists the parts from this place on, up to the blocks of zeros at the end, which must be there. */
  entries(from: number): AsyncGenerator<PlacedEntry>;
  /** Reads a part piece by piece. The same memory may hold one piece after the other. */
  chunks(entry: PlacedEntry): AsyncGenerator<Uint8Array>;
}

const PIECE_BYTES = 256 * 1024;

export async function openArchive(path: string): Promise<ArchiveFile> {
  const file = await open(path, 'r');
  const { size: sizeBytes } = await file.stat();

  async function read(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length;) {
      const { bytesRead } = await file.read(bytes, done, length - done, position + done);
      if (bytesRead === 0) throw new ImportRefused('The file is cut off. Download the rest of it.');
      done += bytesRead;
    }
    return bytes;
  }

  async function* entries(from: number): AsyncGenerator<PlacedEntry> {
    for (let at = from; ;) {
      const head = readHead(await read(at, BLOCK_BYTES));
      if (head === undefined) throw new ImportRefused(`The file is not an export, or was changed, at byte ${at}.`);
      if (head === null) {
        const end = await read(at + BLOCK_BYTES, BLOCK_BYTES);
        const isEnd = at + TRAILER_BYTES === sizeBytes && end.every((byte) => byte === 0);
        if (!isEnd) throw new ImportRefused('The file was changed at its end.');
        return;
      }
      const position = at + BLOCK_BYTES;
      const next = at + bytesOf(head.sizeBytes);
      if (next > sizeBytes) throw new ImportRefused('The file is cut off. Download the rest of it.');
      const padding = await read(position + head.sizeBytes, paddingOf(head.sizeBytes));
      if (!padding.every((byte) => byte === 0)) throw new ImportRefused(`The file was changed at byte ${position}.`);
      yield { ...head, position, next };
      at = next;
    }
  }

  async function* chunks({ position, sizeBytes: length }: PlacedEntry): AsyncGenerator<Uint8Array> {
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    for (let done = 0; done < length;) {
      const { bytesRead } = await file.read(piece, 0, Math.min(PIECE_BYTES, length - done), position + done);
      if (bytesRead === 0) throw new ImportRefused('The file is cut off. Download the rest of it.');
      done += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  }

  return { sizeBytes, entries, chunks, [Symbol.asyncDispose]: () => file.close() };
}
