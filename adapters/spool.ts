import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../domain/error.ts';

/** Smaller content stays in memory. */
const MAX_IN_MEMORY = 256 * 1024;
const PIECE_BYTES = 64 * 1024;

/**
 * Keeps what is being received out of memory until all of it is there: a slow peer would otherwise hold the memory that
 * the files of others need. The temporary file has no name any more once it is open, so a process that ends leaves none.
 */
export class Spool implements AsyncDisposable {
  #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #file: FileHandle | null = null;
  readonly #directory: string;

  constructor(directory: string = tmpdir()) {
    this.#directory = directory;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async add(chunk: Buffer): Promise<void> {
    this.#sizeBytes += chunk.length;
    this.#chunks.push(chunk);
    if (this.#sizeBytes <= MAX_IN_MEMORY) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    try {
      this.#file ??= await anonymousFile(this.#directory);
      for (const each of chunks) await this.#file.writeFile(each);
    } catch (error) {
      throw new EngineError('unavailable', 'The directory for temporary files (TMPDIR) cannot be written.', {
        cause: error,
      });
    }
  }

  /**
   * Reads all, piece by piece; may be read more than once. A piece may be used until the next one is asked for: all are
   * in the same memory, because a new one for each would fill much of it before it is collected.
   */
  async *chunks(): AsyncGenerator<Uint8Array> {
    const file = this.#file;
    if (!file) return yield* this.#chunks;
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    for (let at = 0; at < this.#sizeBytes;) {
      const { bytesRead, buffer } = await file.read(piece, 0, PIECE_BYTES, at);
      if (bytesRead === 0) throw new Error('The temporary file is shorter than what was written to it.');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** Reads all into memory. */
  async bytes(): Promise<Buffer> {
    if (!this.#file) return Buffer.concat(this.#chunks, this.#sizeBytes);
    const bytes = Buffer.allocUnsafeSlow(this.#sizeBytes);
    for (let read = 0; read < bytes.length;) {
      const { bytesRead } = await this.#file.read(bytes, read, bytes.length - read, read);
      if (bytesRead === 0) throw new Error('The temporary file is shorter than what was written to it.');
      read += bytesRead;
    }
    return bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#chunks = [];
    await this.#file?.close();
  }
}

async function anonymousFile(directory: string): Promise<FileHandle> {
  const path = join(directory, `engine-spool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
