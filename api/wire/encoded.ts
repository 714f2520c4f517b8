import type { Context } from 'koa';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A file in each encoding that browsers and programs accept. */
export interface Encoded {
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

/** The highest quality takes ten times as long and saves a few percent. */
const BROTLI_QUALITY = 6;

export async function encode(content: string | Buffer): Promise<Encoded> {
  const plain = Buffer.from(content);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [zipped, brotli] = await Promise.all([promisify(gzip)(plain), promisify(brotliCompress)(plain, { params })]);
  return { plain, gzip: zipped, brotli };
}

/** Answers with the smallest encoding that the request accepts. */
export function answerEncoded(
  context: Pick<Context, 'acceptsEncodings' | 'vary' | 'set' | 'body'>,
  file: Encoded,
): void {
  const encoding = context.acceptsEncodings('br', 'gzip', 'identity');
  context.vary('accept-encoding');
  if (encoding === 'br' || encoding === 'gzip') context.set('content-encoding', encoding);
  context.body = encoding === 'br' ? file.brotli : encoding === 'gzip' ? file.gzip : file.plain;
}
