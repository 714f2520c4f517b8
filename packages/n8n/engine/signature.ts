import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Says whether the engine has signed these bytes with this secret, lately. `body` is what came, and not JSON that was parsed. */
export function isGenuine(secret: string, headers: Headers, body: Buffer, nowSeconds: number): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  // A recorded request must not be good for ever.
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // There are two or more while a secret is being changed: one must fit.
  return signatures.split(' ').some((given) => same(Buffer.from(given), Buffer.from(`v1,${digest}`)));
}

function same(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
