import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secret-box.ts';

export type MediaLinks = ReturnType<typeof createMediaLinks>;

/**
 * Makes the public addresses of messages' files. An address needs no key and does not expire. Its signature cannot be
 * guessed, and the address stops working when the message's row is deleted.
 */
export function createMediaLinks(secrets: SecretBox, publicUrl: string) {
  const sign = (messageId: string): Buffer => secrets.digest(`media:${messageId}`);

  return {
    urlOf: (messageId: string): string => `${publicUrl}/media/${messageId}/${sign(messageId).toString('base64url')}`,
    isGenuine(messageId: string, signature: string): boolean {
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(messageId);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
