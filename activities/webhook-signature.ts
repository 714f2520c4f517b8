import { createHmac } from 'node:crypto';

/**
 * Standard Webhooks 1.0 headers (id, timestamp of this attempt in Unix seconds, signature of both and the exact body),
 * plus the plain body HMAC for receivers that cannot do more.
 */
export function signWebhook(
  secret: string,
  message: { eventId: string; timestamp: number; body: string },
): Record<string, string> {
  const { eventId, timestamp, body } = message;
  const key = signingKey(secret);
  const signature = createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
    'x-engine-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
  };
}

/** `whsec_` carries base64; any other secret is its own bytes. */
function signingKey(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8');
}
