import type { SecretBox } from '../../../db/engine/secret-box.ts';

export type ConnectLinks = ReturnType<typeof createConnectLinks>;

/**
 * Makes the addresses of pages that connect an account. The signature cannot be guessed, so a forged address is refused
 * without a look at the database.
 */
export function createConnectLinks(secrets: SecretBox, publicUrl: string) {
  const signed = (linkId: string): string => `connect:${linkId}`;
  const { protocol, pathname } = new URL(publicUrl);
  const root = `${pathname.replace(/\/$/, '')}/connect`;

  return {
    urlOf: (linkId: string): string =>
      `${publicUrl}/connect/${linkId}/${secrets.digest(signed(linkId)).toString('base64url')}`,
    isGenuine: (linkId: string, signature: string): boolean =>
      secrets.isDigest(Buffer.from(signature, 'base64url'), signed(linkId)),
    /** The path under which browsers see all pages, as PUBLIC_URL says. */
    root,
    /** The path of the link's own pages, to which its cookie is bound. */
    pathOf: (linkId: string): string => `${root}/${linkId}`,
    isSecure: protocol === 'https:',
  };
}
