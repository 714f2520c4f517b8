import { createHmac, timingSafeEqual } from 'node:crypto';
import { sessionWebhookSecret } from './session-secret.ts';

const HEX_SHA512 = /^[0-9a-f]{128}$/i;

/**
 * Checks `X-Webhook-Hmac`, the HMAC-SHA512 of the raw bytes. The timestamp and id headers are not signed
 * (`docs/backend.md#events`, 3).
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

/**
 * Checks that an event is signed with the secret of the session that it names. The engine's own secret is taken, too:
 * sessions that 0.1.0 made sign with it until their webhook changes.
 */
export function verifyEvent(
  event: Parameters<typeof verifyBackendSignature>[0] & { sessionName: string | null },
): boolean {
  const { sessionName, secret } = event;
  if (secret === '') return false;
  const ofSession = sessionName === null ? '' : sessionWebhookSecret(secret, sessionName);
  return verifyBackendSignature({ ...event, secret: ofSession }) || verifyBackendSignature(event);
}
