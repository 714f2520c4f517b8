import type { KeyScope } from '../../domain/tenants/api-key.ts';
import type { KeyHolder } from './auth.ts';

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
