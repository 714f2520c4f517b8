import { LinkedPayload } from '../../../domain/webhooks/event.ts';
import type { EventMetadata, EventPayload } from '../../../domain/webhooks/event.ts';
import type { Tx } from '../../engine/tx.ts';
import type { SecretBox } from '../../engine/secret-box.ts';

/** The largest body that is posted; receivers and their proxies refuse larger ones. */
export const MAX_BODY_BYTES = 256 * 1024;

const KEPT = LinkedPayload.omit({ payloadUrl: true, sizeBytes: true }).partial();

/**
 * The parts of an event's body. Between `head` and `tail` stands the event's sequence, which is known only when the
 * event is written.
 */
export interface BodyParts {
  head: string;
  tail: string;
  /** For an event that is too large to post: the head of the whole; `head` is then that of the posted body. */
  whole: string | null;
  /** The posted body of such an event has the size of the whole between `head` and this. */
  middle: string | null;
}

const MAX_SEQUENCE_LENGTH = String(Number.MAX_SAFE_INTEGER).length;

/**
 * Makes the bytes that every attempt posts. An event that is too large is also kept whole, and the posted body has the
 * address at which it can be read. Both bodies are made once, so that all attempts post the same.
 */
export function bodyParts(
  { secrets, webhooks }: Pick<Tx, 'secrets' | 'webhooks'>,
  { event, payload }: EventPayload,
  metadata: Omit<EventMetadata, 'sequence'>,
): BodyParts {
  const { agencyId, tenantId, eventId, ...rest } = metadata;
  const before = `,"metadata":${openEnd({ agencyId, tenantId, eventId })},"sequence":`;
  const tail = `,${JSON.stringify(rest).slice(1)}}`;
  const whole = `${openEnd({ event, payload })}${before}`;
  if (Buffer.byteLength(whole) + Buffer.byteLength(tail) + MAX_SEQUENCE_LENGTH <= MAX_BODY_BYTES) {
    return { head: whole, tail, whole: null, middle: null };
  }
  const linked = {
    payloadUrl: payloadUrl(secrets, webhooks.publicUrl, eventId),
    ...KEPT.safeParse(payload).data,
  };
  const head = `{"event":${JSON.stringify(event)},"payload":${openEnd(linked)},"sizeBytes":`;
  return { head, tail, whole, middle: `}${before}` };
}

/** The JSON of an object without its closing brace. */
function openEnd(value: object): string {
  return JSON.stringify(value).slice(0, -1);
}

/**
 * Makes the public address of an event that is too large to be posted. The address works as long as the event is kept.
 */
function payloadUrl(secrets: SecretBox, publicUrl: string, eventId: string): string {
  const signature = secrets.digest(signed(eventId)).toString('base64url');
  return `${publicUrl}/api/v1/webhooks/payloads/${eventId}?signature=${signature}`;
}

export function isGenuinePayloadLink(secrets: SecretBox, eventId: string, signature: string): boolean {
  return secrets.isDigest(Buffer.from(signature, 'base64url'), signed(eventId));
}

function signed(eventId: string): string {
  return `payload:${eventId}`;
}
