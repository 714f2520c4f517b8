import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { AwsV4Signer } from 'aws4fetch';

const REGION = 'test-1';
export const S3_KEYS = { accessKeyId: 'test-key', secretAccessKey: 'test-secret', region: REGION };

/** Objects over HTTP with S3's signature and ranges: as much of S3 as the engine uses, not a real one. */
export async function startS3Server() {
  const objects = new Map<string, { bytes: Buffer; contentType: string }>();
  let puts = 0;
  /** The next requests are answered with these instead. */
  const failures: number[] = [];

  async function answer(request: IncomingMessage): Promise<{ status: number; body?: Buffer }> {
    const body = await buffer(request);
    const failure = failures.shift();
    if (failure !== undefined) return { status: failure, body: Buffer.from('<Error><Secret/></Error>') };
    if (!(await isSigned(request))) return { status: 403 };
    const path = request.url ?? '';
    if (request.method === 'PUT') {
      if (request.headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) {
        return { status: 400 };
      }
      puts += 1;
      objects.set(path, { bytes: body, contentType: request.headers['content-type'] ?? '' });
      return { status: 200 };
    }
    const found = objects.get(path);
    if (!found) return { status: 404 };
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (first === undefined) return { status: 200, body: found.bytes };
    return { status: 206, body: found.bytes.subarray(Number(first), Number(last) + 1) };
  }

  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => response.writeHead(status).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    failures,
    puts: () => puts,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Signed again from what arrived: method, path, time and digest of the content are all in it. */
async function isSigned(request: IncomingMessage): Promise<boolean> {
  const date = String(request.headers['x-amz-date']);
  const digest = String(request.headers['x-amz-content-sha256']);
  const { headers } = await new AwsV4Signer({
    ...S3_KEYS,
    method: request.method ?? '',
    url: `http://${request.headers.host}${request.url}`,
    headers: { 'x-amz-content-sha256': digest },
    service: 's3',
    datetime: date,
  }).sign();
  return headers.get('authorization') === request.headers.authorization;
}
