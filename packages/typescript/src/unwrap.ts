import { SignatureError } from './errors.ts';
import type { AnyEvent } from './generated/types.ts';

type GivenHeaders = Headers | Record<string, string | string[] | undefined>;

const TOLERANCE_SECONDS = 300;

/**
 * Reads a webhook that the engine has posted. Throws SignatureError unless it was signed with the secret, or one of them, in
 * the last five minutes. `body` is the bytes or the text that came, not JSON that was parsed and written again.
 */
export async function unwrap(
  body: string | Uint8Array<ArrayBuffer> | ArrayBuffer,
  headers: GivenHeaders,
  secret: string | readonly string[],
): Promise<AnyEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    read(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new SignatureError('The request has no signature.');
  // A recorded request must not be good for ever.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) {
    throw new SignatureError('The request was not signed in the last five minutes.');
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const given = signatures.split(' ').filter((one) => one.startsWith('v1,'));
  for (const one of [secret].flat()) {
    const key = await crypto.subtle.importKey('raw', keyBytes(one), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
    for (const signature of given) {
      const bytes = fromBase64(signature.slice(3));
      // Compares in constant time.
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
        const event: AnyEvent = JSON.parse(text);
        return event;
      }
    }
  }
  throw new SignatureError('The signature does not fit.');
}

function read(headers: GivenHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value[0] : value;
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith('whsec_')) return new TextEncoder().encode(secret);
  const bytes = fromBase64(secret.slice(6));
  if (!bytes) throw new TypeError('What follows whsec_ in the secret is no base64.');
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
