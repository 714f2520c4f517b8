import { createHmac, timingSafeEqual } from 'node:crypto';

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
