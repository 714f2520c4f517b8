import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { Spool } from '../../adapters/spool.ts';
import { EngineError } from '../../domain/error.ts';
import { requireBoundedJson } from './json-shape.ts';

/** `json` also takes no body at all, which reads as an empty object. */
export type BodyReading = 'json' | 'raw' | 'none';

/** Refuses what is not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export async function readBody(request: IncomingMessage, reading: BodyReading, limitBytes: number): Promise<unknown> {
  if (reading === 'none') return undefined;
  if (!hasBody(request)) return reading === 'raw' ? Buffer.alloc(0) : {};
  if (reading === 'json') refuseAllButJson(request);
  else refuseEncodings(request);
  const bytes = await readBytes(request, limitBytes);
  return reading === 'raw' ? bytes : parseJson(bytes);
}

/**
 * Reads a large JSON body. It is in memory only once all of it has come and `room` has made room for its size, so a
 * client that drips holds none.
 */
export async function readLargeJson(
  request: IncomingMessage,
  limitBytes: number,
  room: (sizeBytes: number) => Promise<void>,
): Promise<unknown> {
  refuseAllButJson(request);
  try {
    if ((lengthOf(request) ?? 0) > limitBytes) throw tooLarge(limitBytes);
    await using spool = new Spool();
    // Without the option the loop would destroy the connection on its way out, and the client would get no answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      await spool.add(Buffer.from(chunk));
      if (spool.sizeBytes > limitBytes) throw tooLarge(limitBytes);
    }
    await room(spool.sizeBytes);
    return parseJson(await spool.bytes());
  } finally {
    // Unread bytes would keep the next request of this connection from being seen.
    request.resume();
  }
}

export function tooLarge(limitBytes: number, cause?: unknown): EngineError {
  return new EngineError('body_too_large', `The body may have at most ${limitBytes} bytes.`, { cause });
}

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Refuses a body by its headers unless it is JSON in UTF-8 as it is. */
export function refuseAllButJson(request: IncomingMessage): void {
  refuseEncodings(request);
  refuseOtherTypes(request);
}

/** Returns the body's length in bytes; undefined when the client does not say it. */
export function lengthOf(request: IncomingMessage): number | undefined {
  const length = request.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Refuses a compressed body, because a few bytes can become gigabytes when they are unpacked. */
export function refuseEncodings(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw new EngineError('unsupported_media_type', 'Send the body without Content-Encoding.');
  }
}

function refuseOtherTypes(request: IncomingMessage): void {
  const [type, ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type?.trim() !== 'application/json' || !isUtf8) {
    throw new EngineError('unsupported_media_type', 'Send JSON in UTF-8 with Content-Type: application/json.');
  }
}

async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { length: request.headers['content-length'] ?? null, limit: limitBytes });
  } catch (error) {
    // raw-body pauses the stream; unread bytes would keep the next request of this connection from being seen.
    request.resume();
    if (isBodyError(error, 'entity.too.large')) {
      throw tooLarge(limitBytes, error);
    }
    throw error;
  }
}

function isBodyError(error: unknown, type: string): boolean {
  return error instanceof Error && 'type' in error && error.type === type;
}

const MALFORMED = 'The body cannot be read as JSON in UTF-8: check its quotes, commas and braces.';

function parseJson(bytes: Buffer): unknown {
  requireBoundedJson(bytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new EngineError('malformed_json', MALFORMED, { cause: error });
  }
}
