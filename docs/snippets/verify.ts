import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

const TOLERANCE_SECONDS = 300;
/** No event is larger. Without this limit, anyone could fill the memory before the signature is checked. */
const MAX_BYTES = 1_048_576;

/** `body` must be the bytes as they arrived, not JSON that was parsed and written again. */
export function isGenuine(secret: string, headers: NodeJS.Dict<string | string[]>, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  // A recorded request must expire.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.`)
    .update(body)
    .digest('base64');
  // During a rotation there are two signatures: one must match.
  return String(signatures)
    .split(' ')
    .some((given) => same(Buffer.from(given), Buffer.from(`v1,${expected}`)));
}

function same(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of request) {
    sizeBytes += part.length;
    if (sizeBytes > MAX_BYTES) throw new Error('The body is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function receive(request: IncomingMessage, response: ServerResponse, secret: string): Promise<void> {
  const body = await bodyOf(request);
  if (!isGenuine(secret, request.headers, body)) {
    response.writeHead(401).end();
    console.log('refused: the signature does not match SECRET. Paste the line that begins with eval, and start again');
    return;
  }
  // Here: store it under its webhook-id, once. Then respond, and do the work afterwards.
  response.writeHead(204).end();
  const { event, metadata } = JSON.parse(body.toString());
  console.log(event, metadata.eventId);
}

if (import.meta.main) {
  const { SECRET, RECEIVER_PORT = '4000' } = process.env;
  if (!SECRET) {
    console.error('Set SECRET to the webhookSecret of the registration.');
    process.exit(1);
  }
  const server = createServer((request, response) => {
    receive(request, response, SECRET).catch(() => response.destroy());
  });
  server.on('error', ({ message }) => {
    console.error(
      `${message}. Set RECEIVER_PORT to another port in every terminal, or stop the receiver that uses it.`,
    );
    process.exitCode = 1;
  });
  server.listen(Number(RECEIVER_PORT), '127.0.0.1', () => console.log(`Listening on port ${RECEIVER_PORT}`));
}
