import type { CredentialsSeen } from '../../domain/scope.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import type { Granted, KeyHolder } from './caller.ts';

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

/** The login, and the key or the link by which the caller came; neither of these for the operator's secrets. */
export interface CredentialUsed {
  keyId: string | null;
  linkId: string | null;
  loginId: string | null;
}

export function credentialOf({ kind, keyId, login }: KeyHolder): CredentialUsed {
  const loginId = login?.id ?? null;
  if (isByLink({ keyId })) return { keyId: null, linkId: keyId, loginId };
  return { keyId: kind === 'master' ? null : keyId, linkId: null, loginId };
}

/** Returns the maker of what the caller makes: the login by which it came, else its key. */
export function makerOf({ keyId, login }: Pick<KeyHolder, 'keyId' | 'login'>): string {
  return login?.id ?? keyId;
}

/** Returns the time at which something ends that the caller makes to last until `at`: with its login at the latest. */
export function endOfMade({ login }: Pick<KeyHolder, 'login'>, at: Date): Date {
  return login !== undefined && login.expiresAt < at ? login.expiresAt : at;
}
