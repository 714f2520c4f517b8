import type { CredentialsSeen } from '../../domain/scope.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import type { Granted, KeyHolder } from './auth.ts';

/** Tells whether the caller came by a link into the console. */
export function isByLink({ keyId }: Pick<KeyHolder, 'keyId'>): boolean {
  return keyId.startsWith('clk_');
}

/**
 * Returns the maker whose credentials the caller lists and ends: everybody its own, and the owner, whose key has the
 * scope, those of all makers (null).
 */
export function makerSeenBy({ kind, keyId, scopes }: KeyHolder, ownersScope: KeyScope): string | null {
  const isOwner = kind !== 'session' && !isByLink({ keyId }) && (scopes === 'all' || scopes.includes(ownersScope));
  return isOwner ? null : keyId;
}

/** Returns which logins and streams the caller lists and ends. */
export function credentialsSeenBy(caller: Granted['client']['caller']): CredentialsSeen {
  const { agencyId, tenantId } = caller.reach;
  const maker = makerSeenBy(caller, 'keys');
  // A key may have made what shows no tenant alone, so only the owner looks at one tenant.
  return { agencyId, tenantId: maker === null ? tenantId : null, maker };
}

/** Returns the key or the link by which the caller came; neither for the operator's secrets. */
export function credentialOf({ kind, keyId }: KeyHolder): { keyId: string | null; linkId: string | null } {
  if (isByLink({ keyId })) return { keyId: null, linkId: keyId };
  return { keyId: kind === 'master' ? null : keyId, linkId: null };
}
