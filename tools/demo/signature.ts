import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const TOLERANCE_S = 300;

/**
 * Returns why a webhook request is not genuine, or null when it is. A receiver has to check no more than this, and
 * needs only Node for it.
 */
export function whyNotGenuine(secret: string, headers: IncomingHttpHeaders, rawBody: string): string | null {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const hmac = (text: string) => createHmac('sha256', key).update(text);
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  // Old timestamps are refused, so that a recorded request cannot be replayed forever.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_S)) return 'the timestamp is too old or missing';
  // The header holds two signatures while a secret is being rotated.
  const expected = `v1,${hmac(`${String(id)}.${String(timestamp)}.${rawBody}`).digest('base64')}`;
  if (
    !String(signatures)
      .split(' ')
      .some((given) => same(given, expected))
  )
    return 'webhook-signature does not fit';
  const simple = `sha256=${hmac(rawBody).digest('hex')}`;
  return same(String(headers['x-engine-signature-256']), simple) ? null : 'x-engine-signature-256 does not fit';
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
