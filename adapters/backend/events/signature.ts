import { createHmac, timingSafeEqual } from 'node:crypto';
import { DEFAULT_BACKEND } from '../../../domain/backend-server.ts';
import { sessionWebhookSecret } from './session-secret.ts';

const HEX_SHA512 = /^[0-9a-f]{128}$/i;

/**
 * Checks `X-Webhook-Hmac`, the HMAC-SHA512 of the raw bytes. The timestamp and id headers are not signed
 * (`docs/extend/backend.md#events`, 3).
 */
export function verifyBackendSignature(input: {
  rawBody: Buffer | string;
  signatureHex: string | null | undefined;
  secret: string;
}): boolean {
  const { rawBody, signatureHex, secret } = input;
  if (secret === '' || typeof signatureHex !== 'string' || !HEX_SHA512.test(signatureHex)) return false;
  const expected = createHmac('sha512', secret).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(signatureHex, 'hex'));
}

interface SignedEvent {
  rawBody: Buffer | string;
  signatureHex: string | null | undefined;
  sessionName: string | null;
  /** The engine's own secret. */
  secret: string;
}

/**
 * Finds the backend that has signed an event with its secret of the session that the event names; null when none has.
 * For the backend that is called `default` the engine's own secret is taken, too: sessions that 0.1.0 made sign with it
 * until their webhook changes.
 */
export function senderOf(event: SignedEvent, backends: readonly string[]): string | null {
  const { sessionName: name, secret } = event;
  if (secret === '') return null;
  const isSignedBy = (own: string): boolean => verifyBackendSignature({ ...event, secret: own });
  const sender = backends.find(
    (backend) => name !== null && isSignedBy(sessionWebhookSecret(secret, { backend, name })),
  );
  if (sender !== undefined) return sender;
  return backends.includes(DEFAULT_BACKEND) && isSignedBy(secret) ? DEFAULT_BACKEND : null;
}
