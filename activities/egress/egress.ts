import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { createAddressGuard } from './address-guard.ts';
import type { Resolver } from './address-guard.ts';
import { download } from './download.ts';
import type { Download, DownloadRequest } from './download.ts';
import { Poster } from './post.ts';

export interface EgressOptions {
  /** Private CIDR ranges that may be reached all the same, for development only. */
  allow: readonly string[];
  userAgent: string;
  /** Finds the addresses of a name. The system's name servers do so unless a test says otherwise. */
  resolve?: Resolver;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** An answer with larger headers is taken for an attack. */
const MAX_HEADER_BYTES = 16_384;

export type Egress = ReturnType<typeof createEgress>;

/**
 * The only way to a URL that a tenant has chosen. An address is checked three times: as a literal, as the DNS answer,
 * and as the peer actually connected to; TLS is verified. A post follows no redirect. A download follows a few, and
 * each is checked in the same three ways.
 */
export function createEgress({ allow, userAgent, resolve }: EgressOptions) {
  const guard = createAddressGuard(allow, resolve);
  const connectTo = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: guard.lookup, allowH2: false });
  const connect: buildConnector.connector = (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !guard.allows(host)) {
      callback(guard.refusal(), null);
      return;
    }
    connectTo(options, (...[error, socket]: [Error, null] | [null, Socket]) => {
      if (error) callback(error, null);
      else if (socket.remoteAddress && guard.allows(socket.remoteAddress)) callback(null, socket);
      else {
        socket.destroy();
        callback(guard.refusal(), null);
      }
    });
  };
  // Connections are not limited here, because attempts are limited already: endpoints of one host must not wait for
  // each other.
  const options = { connect, allowH2: false, maxHeaderSize: MAX_HEADER_BYTES };
  const poster = new Poster(options, userAgent);
  const agent = new Agent(options);

  /** Never throws: a file that cannot be fetched is answered with the code of its failure. */
  function get(file: DownloadRequest): Promise<Download> {
    return download(file, { dispatcher: agent, userAgent });
  }

  async function close(): Promise<void> {
    await Promise.all([poster.close(), agent.close()]);
  }

  return { post: poster.post.bind(poster), get, close };
}
