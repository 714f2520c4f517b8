import type { SecretBox } from '../engine/secret-box.ts';
import type { Queries } from '../engine/tx.ts';

export type MediaLinks = ReturnType<typeof createMediaLinks>;

/**
 * Makes the public addresses of messages' files. An address needs no key and does not expire. Its signature cannot be
 * guessed, and the address stops working when the message's row is deleted.
 */
export function createMediaLinks(secrets: SecretBox, publicUrl: string) {
  const signed = (messageId: string): string => `media:${messageId}`;
  const sign = (messageId: string): Buffer => secrets.digest(signed(messageId));

  return {
    urlOf: (messageId: string): string => `${publicUrl}/media/${messageId}/${sign(messageId).toString('base64url')}`,
    isGenuine: (messageId: string, signature: string): boolean =>
      secrets.isDigest(Buffer.from(signature, 'base64url'), signed(messageId)),
  };
}

/** The links that a transaction puts into events. */
export function mediaLinksOf({ secrets, webhooks }: Pick<Queries, 'secrets' | 'webhooks'>): MediaLinks {
  return createMediaLinks(secrets, webhooks.mediaPublicUrl ?? webhooks.publicUrl);
}
