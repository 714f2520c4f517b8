import { EngineError } from '../../domain/error.ts';

/** The tokens that are left to somebody who fails to authenticate. */
interface Allowance {
  tokens: number;
  atMs: number;
}

const MINUTE_MS = 60_000;
const MAX_ENTRIES = 10_000;

/**
 * Bounds failed authentications: so many at once, and as many again in a minute, for each address and each key id. A
 * key that is right is never counted. Each process counts for itself.
 */
export class FailedKeys {
  readonly #perMinute: number;
  readonly #nowMs: () => number;
  readonly #allowances = new Map<string, Allowance>();

  /** 0 sets no bound. */
  constructor(perMinute: number, nowMs: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#nowMs = nowMs;
  }

  /** Returns the longest wait of the named ones; 0 if each may fail once more. */
  waitMs(...names: readonly string[]): number {
    if (this.#perMinute === 0) return 0;
    const waits = names.map((name) => (1 - this.#tokensOf(name)) * (MINUTE_MS / this.#perMinute));
    return Math.max(0, ...waits);
  }

  count(...names: readonly string[]): void {
    if (this.#perMinute === 0) return;
    for (const name of names) {
      const tokens = Math.max(0, this.#tokensOf(name) - 1);
      // Written anew, an entry is the youngest of the map, so the oldest is the one that has been quiet longest.
      this.#allowances.delete(name);
      this.#allowances.set(name, { tokens, atMs: this.#nowMs() });
    }
    for (const [name] of this.#allowances) {
      if (this.#allowances.size <= MAX_ENTRIES) break;
      this.#allowances.delete(name);
    }
  }

  #tokensOf(name: string): number {
    const known = this.#allowances.get(name);
    if (known === undefined) return this.#perMinute;
    const gained = ((this.#nowMs() - known.atMs) * this.#perMinute) / MINUTE_MS;
    return Math.min(this.#perMinute, known.tokens + gained);
  }
}

/** Whoever has an IPv6 address has a whole network of them, so the network counts. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail === undefined ? [] : tail.split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/**
 * Missing, malformed, unknown, expired and revoked keys get one answer, so that a caller cannot tell which it was.
 */
export function noValidKey(): EngineError {
  return unauthorized(
    "Send a valid key in the X-API-Key header. If the dashboard's key is lost or revoked, register again " +
      'with "rotateKey": true. Sessions get keys at POST /api/v1/api-keys.',
    'ApiKey',
  );
}

/** Counts a failed authentication. Whoever has failed too often is told to wait. */
export function refusal(failedKeys: FailedKeys, names: readonly string[], failure: EngineError): EngineError {
  const waitMs = failedKeys.waitMs(...names);
  if (waitMs > 0) {
    return new EngineError(
      'too_many_failed_keys',
      'Too many requests without a valid key: wait, then send the right one.',
      {
        headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
      },
    );
  }
  failedKeys.count(...names);
  return failure;
}

export function unauthorized(detail: string, scheme: string): EngineError {
  return new EngineError('unauthorized', detail, { headers: { 'www-authenticate': `${scheme} realm="engine"` } });
}
