/** The ways in which a connection to a tenant's server can fail, in the words that attempts and messages show. */
export type NetworkFailure =
  | 'blocked_address'
  | 'dns_error'
  | 'connection_refused'
  | 'connection_reset'
  | 'network_unreachable'
  | 'timeout'
  | 'tls_error'
  | 'invalid_response'
  /** Our own fault: no file descriptors, no memory, no ports, no name server. */
  | 'engine_error'
  | 'network_error';

/** A post fails in one way more: without TLS it goes to no public address. */
export type PostFailure = NetworkFailure | 'insecure_url';

const CLASSES: readonly [RegExp, NetworkFailure][] = [
  [/^BLOCKED_ADDRESS$/, 'blocked_address'],
  [/^(EMFILE|ENFILE|ENOMEM|ENOBUFS|ENOSPC|EROFS|EADDRNOTAVAIL|EAI_AGAIN|EAI_MEMORY|EAI_SYSTEM)$/, 'engine_error'],
  [/^(ENOTFOUND|EAI_)/, 'dns_error'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection_reset'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'network_unreachable'],
  [/^(ETIMEDOUT|UND_ERR_.*TIMEOUT)$/, 'timeout'],
  [/^(HTTPParserError$|HPE_|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES)/, 'invalid_response'],
  [
    /^(ERR_TLS|ERR_SSL|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERROR_IN_C|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH_|UNSPECIFIED$|EPROTO)/,
    'tls_error',
  ],
];

export function networkFailureOf(error: unknown): NetworkFailure {
  if (error instanceof DOMException) return 'timeout';
  for (const code of codesOf(error)) {
    const found = CLASSES.find(([pattern]) => pattern.test(code));
    if (found) return found[1];
  }
  return 'network_error';
}

export function postFailureOf(error: unknown): PostFailure {
  return codesOf(error).includes('INSECURE_URL') ? 'insecure_url' : networkFailureOf(error);
}

/** Lists the code (or else the name) of the error and of each error inside it, one for each address that was tried. */
function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const code: unknown = Reflect.get(error, 'code') ?? Reflect.get(error, 'name');
  const inner: unknown = Reflect.get(error, 'errors') ?? [Reflect.get(error, 'cause')];
  return [...(typeof code === 'string' ? [code] : []), ...(Array.isArray(inner) ? inner.flatMap(codesOf) : [])];
}
