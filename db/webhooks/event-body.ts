import { timingSafeEqual } from 'node:crypto';
import { LinkedPayload } from '../../domain/webhooks/event.ts';
import type { EventMetadata, EventPayload } from '../../domain/webhooks/event.ts';
import type { Tx } from '../tx.ts';
import type { SecretBox } from '../secret-box.ts';

/** The largest body that is posted; receivers and their proxies refuse larger ones. */
export const MAX_BODY_BYTES = 256 * 1024;

const KEPT = LinkedPayload.omit({ payloadUrl: true, sizeBytes: true }).partial();

/**
 * Makes the bytes that every attempt posts. An event that is too large is also kept whole, and the posted body has the
 * address at which it can be read. Both bodies are made once, so that all attempts post the same.
 */
export function eventBodies(
  { secrets, webhooks }: Pick<Tx, 'secrets' | 'webhooks'>,
  { event, payload }: EventPayload,
  metadata: EventMetadata,
): { body: string; fullBody: string | null } {
  const whole = JSON.stringify({ event, payload, metadata });
  const sizeBytes = Buffer.byteLength(whole);
  if (sizeBytes <= MAX_BODY_BYTES) return { body: whole, fullBody: null };
  const linked: LinkedPayload = {
    payloadUrl: payloadUrl(secrets, webhooks.publicUrl, metadata.eventId),
    sizeBytes,
    ...KEPT.safeParse(payload).data,
  };
  return { body: JSON.stringify({ event, payload: linked, metadata }), fullBody: whole };
}

/**
 * Makes the public address of an event that is too large to be posted. The address works as long as the event is kept.
 */
function payloadUrl(secrets: SecretBox, publicUrl: string, eventId: string): string {
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
