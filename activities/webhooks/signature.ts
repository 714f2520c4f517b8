import { createHmac, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

export interface SignedMessage {
  eventId: string;
  /** The time of this attempt, in Unix seconds. */
  timestamp: number;
  body: Buffer;
}

/**
 * Returns the headers of Standard Webhooks 1.0: id, timestamp, and for each valid secret a signature of both and the
 * exact body, so that a receiver may change to a new secret at its own time. A plain HMAC of the body, by the current
 * secret, serves receivers that can check no more than that.
 */
export function signWebhook(secrets: readonly string[], message: SignedMessage): Record<string, string> {
  return signWithKeys(signingKeys(secrets), message);
}

/** Prepares the keys once, so that they serve many messages. */
export function signingKeys(secrets: readonly string[]): KeyObject[] {
  return secrets.map((secret) => createSecretKey(signingKey(secret)));
}

/** Does the same as {@link signWebhook}, with keys that are prepared. */
export function signWithKeys(keys: readonly KeyObject[], message: SignedMessage): Record<string, string> {
  const { eventId, timestamp, body } = message;
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.`).update(body).digest('base64')}`,
  );
  const [current = createSecretKey(Buffer.alloc(0))] = keys;
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
    'x-engine-signature-256': `sha256=${createHmac('sha256', current).update(body).digest('hex')}`,
  };
}

/** Decodes a secret: `whsec_` carries base64, and any other secret is its own bytes. */
function signingKey(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8');
}
