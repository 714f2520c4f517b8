import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { FakeBackend } from './framework-backend.ts';

/** The key and the names of the caller's own session, and what somebody else's begins with. */
export const OWN_KEY = 'session-of-acme-t1';
export const OWN = 'wa_acme_t1';
export const VICTIM = 'wa_globex_t1';

/** The headers that the engine may send to the backend, for every caller and request. */
const HEADERS = new Set([
  'host',
  'connection',
  'accept',
  'accept-language',
  'traceparent',
  'user-agent',
  'x-api-key',
  'content-type',
  'content-length',
  'transfer-encoding',
]);
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);
const IN_PATH = new RegExp(String.raw`^/api/((sessions|files)/)?${OWN}(/|\?|$)`);
const IN_QUERY = new RegExp(String.raw`^/api/[A-Za-z/-]+\?session=${OWN}(&|$)`);

/** Ends a connection on which everything before it was understood. Its answer repeats the id. */
const END_ID = 'end-of-talk';
const END = ['GET /livez HTTP/1.1', 'Host: a', `X-Request-Id: ${END_ID}`, 'Connection: close', '', ''].join('\r\n');

/**
 * Writes the bytes as they are, and returns the statuses of all answers; latin1, so that no byte is lost. Bytes that ask
 * for the end of the connection themselves say so.
 */
export async function talk(port: number, bytes: string, { ends = false } = {}): Promise<number[]> {
  const socket = connect(port, '127.0.0.1');
  const statuses = answered(socket);
  socket.write(Buffer.from(ends ? bytes : bytes + END, 'latin1'));
  return statuses;
}

/** Resolves with the statuses of all answers once the server has ended the connection, whichever way. */
export function answered(socket: Socket): Promise<number[]> {
  const { promise, resolve } = Promise.withResolvers<number[]>();
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  socket.on('error', () => undefined);
  socket.once('close', () => {
    const answers = Buffer.concat(parts)
      .toString('latin1')
      .split(/HTTP\/1\.1 (?=\d{3} )/)
      .slice(1);
    resolve(answers.filter((each) => !each.includes(END_ID)).map((each) => Number(each.slice(0, 3))));
  });
  return promise;
}

/** Returns what the backend was asked that is not a canonical request for the caller's own session. */
export async function strayRequests({ requests }: Pick<FakeBackend, 'requests'>): Promise<string[]> {
  const found: string[] = [];
  for (const { method, url, headers, body } of requests) {
    const text = await body.catch(() => '');
    const foreign = Object.keys(headers).filter((name) => !HEADERS.has(name));
    const isOwn = IN_PATH.test(url) || IN_QUERY.test(url) || sessionIn(text) === OWN;
    const isCanonical =
      METHODS.has(method ?? '') && new URL(url, 'http://a').href === `http://a${url}` && foreign.length === 0;
    if (isOwn && isCanonical && !`${url}${text}`.includes(VICTIM)) continue;
    found.push(`${method} ${url} ${foreign.join()} ${text}`);
  }
  return found;
}

function sessionIn(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'session' in body ? body.session : undefined;
  } catch {
    return undefined;
  }
}
