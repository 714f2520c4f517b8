/**
 * Makes an `Idempotency-Key`, for who repeats a call by himself. Browsers offer `randomUUID` to pages of https alone, so it is
 * made of random bytes.
 */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
