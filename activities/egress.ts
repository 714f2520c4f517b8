import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import { createAddressGuard } from './address-guard.ts';
import { download } from './download.ts';
import type { Download, DownloadRequest } from './download.ts';

export interface EgressOptions {
  /** CIDR ranges that may be reached although they are private: for development only. */
  allow: readonly string[];
  userAgent: string;
}

export interface EgressRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** From the first look-up to the last byte kept: a receiver that drips cannot hold a slot longer. */
  timeoutMs: number;
}

export interface EgressAnswer {
  status: number;
  retryAfter: string | null;
  /** The first bytes of the body as text. */
  excerpt: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
const EXCERPT_BYTES = 2_048;

export type Egress = ReturnType<typeof createEgress>;

/**
 * The only way to a URL that a tenant has chosen. An address is checked three times: as a literal, as the DNS answer,
 * and as the peer actually connected to; TLS is verified. A post follows no redirect, a download a few, each judged anew.
 */
export function createEgress({ allow, userAgent }: EgressOptions) {
  const guard = createAddressGuard(allow);
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: guard.lookup });
  const agent = new Agent({
    connections: 32,
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !guard.allows(host)) {
        callback(guard.refusal(), null);
        return;
      }
      connect(options, (...[error, socket]: [Error, null] | [null, Socket]) => {
        if (error) callback(error, null);
        else if (socket.remoteAddress && guard.allows(socket.remoteAddress)) callback(null, socket);
        else {
          socket.destroy();
          callback(guard.refusal(), null);
        }
      });
    },
  });

  async function post(message: EgressRequest): Promise<EgressAnswer> {
    const answer = await request(message.url, {
      method: 'POST',
      dispatcher: agent,
      headers: { ...message.headers, 'user-agent': userAgent },
      body: message.body,
      signal: AbortSignal.timeout(message.timeoutMs),
    });
    const retryAfter = answer.headers['retry-after'];
    const excerpt = await firstBytes(answer.body);
    return { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, excerpt };
  }

  /** Never throws: what cannot be had is a code. */
  function get(file: DownloadRequest): Promise<Download> {
    return download(file, { dispatcher: agent, userAgent });
  }

  return { post, get, close: () => agent.close() };
}

/** Reads as much as is kept and lets the rest go; a short body is read to its end so that the connection is reused. */
async function firstBytes(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= EXCERPT_BYTES) break;
  }
  // NUL is the one character that PostgreSQL's text cannot hold.
  return Buffer.concat(chunks).subarray(0, EXCERPT_BYTES).toString('utf8').replaceAll('\u0000', '');
}
