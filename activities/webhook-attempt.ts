import type { ClaimedDelivery } from '../db/delivery.ts';
import { classifyStatus } from '../domain/retry.ts';
import type { AttemptClass } from '../domain/retry.ts';
import type { Egress } from './egress.ts';
import { signWebhook } from './webhook-signature.ts';

export interface Attempt {
  class: AttemptClass;
  status: number | null;
  durationMs: number;
  excerpt: string | null;
  /** What the receiver asked for, in milliseconds. */
  retryAfterMs: number | null;
}

/** One HTTP try of one delivery. Never throws: whatever happens is the receiver's answer or a class of failure. */
export async function attemptDelivery(
  egress: Egress,
  endpoint: { url: string; secret: string; timeoutMs: number },
  delivery: ClaimedDelivery,
): Promise<Attempt> {
  const started = performance.now();
  const timestamp = Math.floor(Date.now() / 1_000);
  try {
    const answer = await egress.post({
      url: endpoint.url,
      timeoutMs: endpoint.timeoutMs,
      body: delivery.body,
      headers: {
        'content-type': 'application/json',
        'webhook-attempt': String(delivery.attempts + 1),
        ...signWebhook(endpoint.secret, { eventId: delivery.eventId, timestamp, body: delivery.body }),
      },
    });
    return {
      class: classifyStatus(answer.status),
      status: answer.status,
      durationMs: performance.now() - started,
      excerpt: answer.excerpt === '' ? null : answer.excerpt,
      retryAfterMs: parseRetryAfter(answer.retryAfter),
    };
  } catch (error) {
    const durationMs = performance.now() - started;
    return { class: classifyError(error), status: null, durationMs, excerpt: null, retryAfterMs: null };
  }
}

const CLASSES: readonly [RegExp, AttemptClass][] = [
  [/^BLOCKED_ADDRESS$/, 'blocked_address'],
  [/^(ENOTFOUND|EAI_)/, 'dns_error'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection_reset'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'network_unreachable'],
  [/^(ETIMEDOUT|UND_ERR_.*TIMEOUT)$/, 'timeout'],
  [/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/, 'tls_error'],
];

function classifyError(error: unknown): AttemptClass {
  if (error instanceof DOMException) return 'timeout';
  for (const code of codesOf(error)) {
    const found = CLASSES.find(([pattern]) => pattern.test(code));
    if (found) return found[1];
  }
  return 'network_error';
}

/** The error's own code and those of the errors inside it: one per address that was tried. */
function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const code: unknown = Reflect.get(error, 'code');
  const inner: unknown = Reflect.get(error, 'errors') ?? [Reflect.get(error, 'cause')];
  return [...(typeof code === 'string' ? [code] : []), ...(Array.isArray(inner) ? inner.flatMap(codesOf) : [])];
}

/** Seconds (also fractional) or an HTTP date. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
