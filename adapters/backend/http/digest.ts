import { createHash } from 'node:crypto';
import type { Spool } from '../../spool.ts';

/** A file's type shows in its first bytes. */
export const HEAD_BYTES = 4_096;

export interface Digest {
  /** In hexadecimal digits. */
  sha256: string;
  /** The first bytes, {@link HEAD_BYTES} at most. */
  head: Buffer;
}

/** Reads a file once, for its digest and its first bytes. */
export async function digestOf(spool: Spool): Promise<Digest> {
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of spool.chunks()) {
    hash.update(chunk);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
  }
  return { sha256: hash.digest('hex'), head };
}
