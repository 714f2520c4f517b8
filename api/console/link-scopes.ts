import { sharedScopes } from '../../domain/tenants/api-key.ts';
import type { KeyKind, KeyScope } from '../../domain/tenants/api-key.ts';

/** All that a link may ever do: it makes no keys, erases nobody and calls no route of the backend. */
const LINK_SCOPES: readonly KeyScope[] = ['send', 'read', 'sessions', 'ai:admin', 'webhooks'];

/** The scopes of a link that its maker gives; a link of one session rules nothing that holds for other sessions, too. */
export function scopesToGive(sessionId: string | null, maker: readonly KeyScope[] | 'all'): KeyScope[] {
  const possible = LINK_SCOPES.filter((scope) => sessionId === null || scope !== 'ai:admin');
  return maker === 'all' ? possible : possible.filter((scope) => maker.includes(scope));
}

/** The scopes of a link at its use: what it was made with, as far as its maker still has it. */
export function scopesAtUse(
  link: { sessionId: string | null; scopes: readonly KeyScope[] | null },
  makers: readonly { kind: KeyKind; scopes: readonly KeyScope[] }[] | null,
): readonly KeyScope[] {
  return sharedScopes(scopesToGive(link.sessionId, link.scopes ?? 'all'), makers ?? []);
}
