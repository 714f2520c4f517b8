import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { createAddressGuard } from './address-guard.ts';
import { callOnce } from './call.ts';
import type { CallAnswer, CallRequest } from './call.ts';
import type { Resolver } from './name-server.ts';
import type { Spool } from '../spool.ts';
import type { RefusedUrl } from '../../domain/webhooks/endpoint.ts';
import { download, downloadInto } from './download.ts';
import type { Download, DownloadRequest, DownloadToMemory, DownloadToSpool } from './download.ts';
import { Poster } from './post.ts';

export interface EgressOptions {
  /** Private CIDR ranges that may be reached all the same, for development only. */
  allow: readonly string[];
  /** The ports of the engine and of what it runs on. Nobody reaches them at an address that is allowed in this way. */
  ownPorts?: readonly number[];
  userAgent: string;
  /** Finds the addresses of a name. The system's name servers do so unless a test says otherwise. */
  resolve?: Resolver;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** An answer with larger headers is taken for an attack. */
const MAX_HEADER_BYTES = 16_384;

/** Without encryption everybody on the way could read what is posted. */
class InsecureUrlError extends Error {
  readonly code = 'INSECURE_URL';
}

export type Egress = ReturnType<typeof createEgress>;

/**
 * The only way to a URL that a tenant has chosen. An address is checked three times: as a literal, as the DNS answer,
 * and as the peer actually connected to; TLS is verified. A post follows no redirect, and goes to a
 * public address only with TLS. A download follows a few redirects, and each is checked in the same three ways.
 */
export function createEgress({ allow, ownPorts = [], userAgent, resolve }: EgressOptions) {
  const guard = createAddressGuard(allow, resolve);
  const connectTo = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: guard.lookup, allowH2: false });

  /** Says why no connection to the address may be used; null when one may. */
  function refusalOf(
    address: string,
    { protocol, port }: Pick<buildConnector.Options, 'protocol' | 'port'>,
    mustEncrypt: boolean,
  ): Error | null {
    if (!guard.allows(address)) return guard.refusal();
    if (guard.isException(address)) return ownPorts.includes(Number(port)) ? guard.refusal() : null;
    return mustEncrypt && protocol !== 'https:' ? new InsecureUrlError('The URL must begin with https.') : null;
  }

  /**
   * Says why no post to the URL will ever be made; null when one may, or when only a look-up of its name tells. The name
   * `localhost` needs none.
   */
  function refusesPost(text: string): RefusedUrl | null {
    const { hostname, protocol, port } = new URL(text);
    const host = /^(?:.+\.)?localhost\.?$/.test(hostname) ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, '');
    const refusal = isIP(host) === 0 ? null : refusalOf(host, { protocol, port }, true);
    if (refusal === null) return null;
    return refusal instanceof InsecureUrlError ? 'insecure_url' : 'blocked_address';
  }

  const connector =
    (mustEncrypt: boolean): buildConnector.connector =>
    (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      const early = isIP(host) === 0 ? null : refusalOf(host, options, mustEncrypt);
      if (early) {
        callback(early, null);
        return;
      }
      connectTo(options, (...[error, socket]: [Error, null] | [null, Socket]) => {
        if (error) {
          callback(error, null);
          return;
        }
        const refusal = refusalOf(socket.remoteAddress ?? '', options, mustEncrypt);
        if (refusal === null) callback(null, socket);
        else {
          socket.destroy();
          callback(refusal, null);
        }
      });
    };

  // Connections are not limited here, because attempts are limited already: endpoints of one host must not wait for
  // each other.
  const options = { allowH2: false, maxHeaderSize: MAX_HEADER_BYTES };
  const poster = new Poster({ ...options, connect: connector(true) }, userAgent);
  const agent = new Agent({ ...options, connect: connector(false) });
  const caller = new Agent({ ...options, connect: connector(true) });

  const via = { dispatcher: agent, userAgent };

  /** A file that cannot be fetched is answered with the code of its failure. */
  function get(file: DownloadToMemory): Promise<Download> {
    return download(file, via);
  }

  /** The same for a file that is too large for memory. */
  function load(file: DownloadRequest, spool: Spool): Promise<DownloadToSpool> {
    return downloadInto(spool, file, via);
  }

  /** Makes a request of any method, under the rules of a post, and reads the answer. */
  function call(made: CallRequest): Promise<CallAnswer> {
    return callOnce(made, { dispatcher: caller, userAgent });
  }

  async function close(): Promise<void> {
    await Promise.all([poster.close(), agent.close(), caller.close()]);
  }

  return { post: poster.post.bind(poster), get, load, call, refusesPost, close };
}
