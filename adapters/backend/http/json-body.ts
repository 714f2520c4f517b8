import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A file as it stands in the JSON of a request, where its bytes are base64. */
export interface JsonFile {
  data: Buffer;
  about: Record<string, unknown>;
}

export interface JsonBody {
  length: number;
  content: string | Readable;
}

/** A multiple of three bytes, so that the base64 of the parts, put together, is the base64 of the file. */
const PART_BYTES = 3 * 65_536;

/**
 * Makes the body of a request. A file becomes base64 part by part while it goes out, because all at once it would be in
 * memory three times.
 */
export function jsonBodyOf(fields: Record<string, unknown>, file?: JsonFile): JsonBody {
  if (file === undefined) {
    const content = JSON.stringify(fields);
    return { length: Buffer.byteLength(content), content };
  }
  const { data, about } = file;
  const end = '"}}';
  const start = Buffer.from(JSON.stringify({ ...fields, file: { ...about, data: '' } }).slice(0, -end.length));
  return {
    length: start.length + 4 * Math.ceil(data.length / 3) + end.length,
    content: Readable.from(partsOf(start, data, end), { objectMode: false }),
  };
}

async function* partsOf(start: Buffer, data: Buffer, end: string): AsyncGenerator<Buffer> {
  yield start;
  for (let at = 0; at < data.length; at += PART_BYTES) {
    yield Buffer.from(data.toString('base64', at, at + PART_BYTES), 'latin1');
    // Without this pause a socket that takes everything at once would leave the process no time for other work.
    await nextTurn();
  }
  yield Buffer.from(end);
}
