import { LINK_SCOPES } from '../../domain/console/link.ts';
import { sharedScopes } from '../../domain/tenants/api-key.ts';
import type { KeyKind, KeyScope } from '../../domain/tenants/api-key.ts';

/** The scopes of a link that names none: what its maker may do, but the agent is set by nobody who was not named. */
export function scopesToGive(maker: readonly KeyScope[] | 'all'): KeyScope[] {
  return LINK_SCOPES.filter((scope) => scope !== 'ai:admin' && (maker === 'all' || maker.includes(scope)));
}

/**
 * The scopes of a link at its use: what it was made with, as far as its maker still has it. A link of one session rules
 * nothing that holds for other sessions. Links of earlier releases have no scopes of their own.
 */
export function scopesAtUse(
  link: { sessionId: string | null; scopes: readonly KeyScope[] | null },
  makers: readonly { kind: KeyKind; scopes: readonly KeyScope[] }[] | null,
): readonly KeyScope[] {
  const own = link.scopes ?? LINK_SCOPES;
  const possible = LINK_SCOPES.filter((scope) => own.includes(scope));
  return sharedScopes(
    possible.filter((scope) => link.sessionId === null || scope !== 'ai:admin'),
    makers ?? [],
  );
}
