/**
 * The backend refuses longer names, because it may name a database after each session: `name must be shorter than …`.
 */
export const MAX_SESSION_NAME_LENGTH = 54;

/** Names that begin like this are derived from an agency and a tenant, so no caller chooses one. */
const DERIVED = 'wa_agency_';

const HASH_MASK = (1n << 64n) - 1n;

/**
 * Makes the name of a session at the backend when the caller names none; a name is looked up and never split. A name
 * that is too long is cut and ends with a hash of its parts, so that different tenants get different names. A caller
 * that finds the name taken adds a `suffix`.
 */
export function derivedSessionName(agencyId: string, tenantId: string, suffix?: string): string {
  const end = suffix === undefined ? '' : `_${suffix}`;
  const name = `${DERIVED}${agencyId}_tenant_${tenantId}${end}`;
  if (name.length <= MAX_SESSION_NAME_LENGTH) return name;
  // No id has a slash in it, so different ids never make the same text.
  const hash = hashOf(`${agencyId}/${tenantId}/${suffix ?? ''}`);
  return `${name.slice(0, MAX_SESSION_NAME_LENGTH - hash.length - 1)}_${hash}`;
}

/** Tells whether the name looks derived but is not the tenant's own: it could be that of another tenant. */
export function isDerivedForAnother(
  name: string,
  { agencyId, tenantId }: { agencyId: string; tenantId: string },
): boolean {
  return name.startsWith(DERIVED) && name !== derivedSessionName(agencyId, tenantId);
}

/** Hashes by FNV-1a of 64 bits to 16 hexadecimal digits: the same on every machine and in every release. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of text) {
    hash ^= BigInt(character.codePointAt(0) ?? 0);
    hash = (hash * 0x100000001b3n) & HASH_MASK;
  }
  return hash.toString(16).padStart(16, '0');
}
