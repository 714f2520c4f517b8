import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import { EngineError } from '../../domain/error.ts';
import { isMediaKey } from '../../domain/sending/media.ts';
import type { FileContent, MediaStore } from '../../domain/sending/media.ts';

export interface S3Options {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** More than answers to readers may be under way. */
const READS = 96;
const WRITES = 16;
const PUT_TIMEOUT_MS = 60_000;
const DELETE_TIMEOUT_MS = 30_000;
/** A store that takes less than this of a large file is given up. */
const SLOWEST_PUT_BYTES_PER_SECOND = 1_048_576;
/** Bounds the wait for the headers and for each next part of an answer: a reader may be slow, the store may not. */
const READ_IDLE_MS = 30_000;
/**
 * The most keys that a store lists at once, and the bytes of such a response: keys have up to 1,024, and other fields
 * come on top.
 */
const KEYS_PER_PAGE = 1_000;
const LIST_MAX_BYTES = 8_388_608;
const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * Stores files in a bucket of any store that speaks S3. The bucket's name is in the path, because every such store
 * understands that.
 */
export function createS3Store({ endpoint, bucket, ...credentials }: S3Options): MediaStore {
  // Reads have connections of their own, because readers may be slow, and nothing could be stored meanwhile.
  const agents = {
    GET: new Agent({ connections: READS, connect: { timeout: 5_000 } }),
    PUT: new Agent({ connections: WRITES, connect: { timeout: 5_000 } }),
  };

  async function call(
    method: 'GET' | 'PUT' | 'DELETE',
    path: string,
    options: { headers: Record<string, string>; body?: Uint8Array | FileContent; signal?: AbortSignal },
  ): Promise<Dispatcher.ResponseData> {
    const signer = new AwsV4Signer({
      ...credentials,
      method,
      url: `${endpoint}/${bucket}${path}`,
      headers: options.headers,
      service: 's3',
    });
    const { url, headers } = await signer.sign();
    const { body } = options;
    const sized = body === undefined ? {} : { 'content-length': String(sizeOf(body)) };
    try {
      return await request(url, {
        method,
        dispatcher: method === 'GET' ? agents.GET : agents.PUT,
        headers: { ...Object.fromEntries(headers), ...sized },
        body: body === undefined || body instanceof Uint8Array ? (body ?? null) : Readable.from(kept(body)),
        headersTimeout: READ_IDLE_MS,
        bodyTimeout: READ_IDLE_MS,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
    } catch (error) {
      throw new EngineError('unavailable', 'The media store cannot be reached.', { cause: error });
    }
  }

  return {
    async put(key, body, mimeType) {
      const sha256 = digestOf(key, body);
      const answer = await call('PUT', `/${key}`, {
        headers: { 'content-type': mimeType, 'x-amz-content-sha256': sha256 },
        body,
        signal: AbortSignal.timeout(PUT_TIMEOUT_MS + Math.ceil((sizeOf(body) / SLOWEST_PUT_BYTES_PER_SECOND) * 1_000)),
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw refusal('PUT', answer.statusCode);
    },

    async get(key, range) {
      const answer = await call('GET', `/${key}`, {
        headers: {
          'x-amz-content-sha256': SHA256_OF_NOTHING,
          ...(range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` }),
        },
      });
      if (answer.statusCode === (range === undefined ? 200 : 206)) return answer.body;
      await answer.body.dump();
      if (answer.statusCode === 404) return null;
      throw refusal('GET', answer.statusCode);
    },

    async delete(key) {
      const answer = await call('DELETE', `/${key}`, {
        headers: { 'x-amz-content-sha256': SHA256_OF_NOTHING },
        signal: AbortSignal.timeout(DELETE_TIMEOUT_MS),
      });
      await answer.body.dump();
      if (![200, 204, 404].includes(answer.statusCode)) throw refusal('DELETE', answer.statusCode);
    },

    async *keys(after) {
      for (let behind = after; ;) {
        const query = new URLSearchParams({
          'list-type': '2',
          'max-keys': String(KEYS_PER_PAGE),
          'start-after': behind,
        });
        const answer = await call('GET', `?${query.toString()}`, {
          headers: { 'x-amz-content-sha256': SHA256_OF_NOTHING },
        });
        if (answer.statusCode !== 200) {
          await answer.body.dump();
          throw refusal('GET', answer.statusCode);
        }
        const page = await listPage(answer.body);
        const keys = [...page.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
        yield* keys.filter(isMediaKey);
        const last = keys.at(-1);
        if (last === undefined || !/<IsTruncated>\s*true/.test(page)) return;
        // A store that begins at the same place again would never come to an end.
        if (last === behind) throw new EngineError('unavailable', 'The media store keeps listing the same files.');
        behind = last;
      }
    },
  };
}

/** The store checks what arrives by this. The key of a file ends in it, so that the file need not be read twice. */
function digestOf(key: string, body: Uint8Array | FileContent): string {
  if (body instanceof Uint8Array) return createHash('sha256').update(body).digest('hex');
  return key.slice(key.lastIndexOf('/') + 1);
}

/** A stream reads ahead, so each piece needs memory of its own. */
async function* kept(body: FileContent): AsyncGenerator<Uint8Array> {
  for await (const piece of body.chunks()) yield Buffer.from(piece);
}

function sizeOf(content: Uint8Array | FileContent): number {
  return content instanceof Uint8Array ? content.length : content.sizeBytes;
}

/** Reads an answer that lists files; one that is longer than such an answer can be is not kept in memory. */
async function listPage(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > LIST_MAX_BYTES) throw new EngineError('unavailable', 'The list of the media store is too long.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function refusal(method: string, status: number): EngineError {
  return new EngineError('unavailable', `The media store returned ${status} to ${method}.`);
}
