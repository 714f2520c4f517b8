import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secret-box.ts';

/** The public address of an event that is too large to be posted; with the event it is gone. */
export function payloadUrl(secrets: SecretBox, publicUrl: string, eventId: string): string {
  return `${publicUrl}/api/v1/webhooks/payloads/${eventId}?signature=${sign(secrets, eventId).toString('base64url')}`;
}

export function isGenuinePayloadLink(secrets: SecretBox, eventId: string, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(secrets, eventId);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(secrets: SecretBox, eventId: string): Buffer {
  return secrets.digest(`payload:${eventId}`);
}
