import type { KeyObject } from 'node:crypto';
import type { Database } from '../../db/engine/database.ts';
import type { AttemptOutcome } from '../../db/webhooks/delivery.ts';
import type { ShardEndpoint } from '../../db/webhooks/shards/shard-endpoint.ts';
import { openHeaders, openSigningSecrets } from '../../db/webhooks/endpoint-secrets.ts';
import { isReservedHeader } from '../../domain/webhooks/endpoint.ts';
import { ATTEMPT_CLASSES, classifyStatus } from '../../domain/webhooks/retry.ts';
import { currentTrace, TRACEPARENT } from '../../domain/telemetry/tracing.ts';
import type { Egress } from '../../adapters/egress/egress.ts';
import type { PostAnswer } from '../../adapters/egress/post.ts';
import { signingKeys, signWithKeys } from './signature.ts';

export interface Attempt extends AttemptOutcome {
  /** The pause that the receiver asked for. */
  retryAfterMs: number | null;
}

export interface AttemptTarget {
  url: string;
  timeoutMs: number;
  /** All keys that sign, the current one first. */
  keys: readonly KeyObject[];
  /** The headers that the endpoint asks for. */
  headers: Readonly<Record<string, string>>;
}

export interface AttemptedDelivery {
  eventId: string;
  /** The bytes, or the text, that every endpoint is sent. */
  body: Buffer | string;
  /** The attempts made before. */
  attempts: number;
}

export interface AttemptMeans {
  egress: Pick<Egress, 'post'>;
  database: { clock: Pick<Database['clock'], 'outside'> };
}

/**
 * A reused connection that fails this soon after an attempt began was most likely closed by the other side before it.
 */
const STALE_WITHIN_MS = 1_000;
const MAX_LOCATION_LENGTH = 2_048;

/**
 * Returns where and how deliveries are posted until the endpoint is looked at again, or null when its secrets cannot be
 * opened.
 */
export function targetOf(
  { secrets: box, clock }: Pick<Database, 'secrets' | 'clock'>,
  endpoint: Pick<ShardEndpoint, 'id' | 'url' | 'secret' | 'oldSecrets' | 'headers' | 'timeoutMs'>,
): AttemptTarget | null {
  const { id, url, timeoutMs, headers } = endpoint;
  const secrets = openSigningSecrets(box, endpoint, clock.now());
  if (secrets === null) return null;
  return { url, timeoutMs, keys: signingKeys(secrets), headers: openHeaders(box, id, headers) };
}

/**
 * Makes one attempt of one delivery. Never throws: the receiver's answer or a class of failure is returned. When a
 * stale connection fails, the same message is posted once more over a new connection, within the same deadline.
 */
export async function attemptDelivery(
  { egress, database: { clock } }: AttemptMeans,
  target: AttemptTarget,
  delivery: AttemptedDelivery,
): Promise<Attempt> {
  const { url, timeoutMs } = target;
  const message = { url, ...messageOf(target, delivery, clock.outside()) };
  const first = await egress.post({ ...message, timeoutMs });
  if (!mayBeStale(first)) return toAttempt(first, clock.outside());
  const second = await egress.post({ ...message, timeoutMs: timeoutMs - first.durationMs, fresh: true });
  return toAttempt({ ...second, durationMs: first.durationMs + second.durationMs }, clock.outside());
}

function messageOf(
  { keys, headers: own }: AttemptTarget,
  { eventId, body: text, attempts }: AttemptedDelivery,
  now: Date,
): { headers: Record<string, string>; body: Buffer } {
  const body = typeof text === 'string' ? Buffer.from(text, 'utf8') : text;
  const trace = currentTrace();
  const timestamp = Math.floor(now.getTime() / 1_000);
  const headers = {
    ...Object.fromEntries(
      Object.entries(own)
        .filter(([name]) => !isReservedHeader(name))
        .map(([name, value]) => [name.toLowerCase(), value]),
    ),
    'content-type': 'application/json',
    'webhook-attempt': String(attempts + 1),
    ...(trace === undefined ? {} : { [TRACEPARENT]: trace }),
    ...signWithKeys(keys, { eventId, timestamp, body }),
  };
  return { headers, body };
}

function mayBeStale(answer: PostAnswer): boolean {
  if (answer.outcome !== 'failed' || !answer.reused || answer.durationMs > STALE_WITHIN_MS) return false;
  return 'mayBeStale' in ATTEMPT_CLASSES[answer.failure];
}

function toAttempt(answer: PostAnswer, now: Date): Attempt {
  const { durationMs, connectMs, firstByteMs, reused } = answer;
  const timings = { durationMs, connectMs, firstByteMs, reused };
  const nothing = { status: null, excerpt: null, location: null, retryAfterMs: null };
  if (answer.outcome === 'failed') return { class: answer.failure, ...nothing, ...timings };
  const redirected = answer.status >= 300 && answer.status < 400;
  return {
    class: classifyStatus(answer.status),
    status: answer.status,
    excerpt: excerptOf(answer.bytes),
    location: redirected && answer.location !== null ? clean(answer.location.slice(0, MAX_LOCATION_LENGTH)) : null,
    retryAfterMs: parseRetryAfter(answer.retryAfter, now),
    ...timings,
  };
}

/** Reads the beginning of a body. The cut may split the last character, which is then left out. */
function excerptOf(bytes: Buffer): string | null {
  if (bytes.length === 0) return null;
  const text = new TextDecoder('utf-8').decode(bytes, { stream: true });
  return text.includes('\uFFFD') ? `base64:${bytes.toString('base64')}` : clean(text);
}

/** NUL is the one character that PostgreSQL's text cannot hold. */
function clean(text: string): string {
  return text.replaceAll('\u0000', '');
}

/** The value is a number of seconds, which may have a fraction, or an HTTP date. */
function parseRetryAfter(value: string | null, now: Date): number | null {
  if (value === null) return null;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
