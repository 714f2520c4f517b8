import { z } from 'zod';

/** Ids that agencies choose. The pattern keeps them safe in paths, session names and logs. */
export const ExternalId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores');

/** The agency and the tenant of a request; a key stands in for what it is bound to. */
export const AgencyField = ExternalId.optional().meta({
  description:
    "The agency's id. Only the master key needs it, if the request names no object of the agency.\n\n1 to " +
    '64 letters, digits, hyphens or underscores.',
});
export const TenantField = ExternalId.optional().meta({
  description:
    "The tenant's id. Omit it with a session's key, or if the request names an object of the tenant.\n\nIt " +
    'is also optional if the agency has only one tenant. 1 to 64 letters, digits, hyphens or underscores.',
});
export const Target = { agencyId: AgencyField, tenantId: TenantField };

/** One tenant of one agency. Every query on a tenant's rows takes a scope as its first argument. */
export interface TenantScope {
  agencyId: string;
  tenantId: string;
}

/**
 * The rows that a request may touch. `sessionId` is set when the key is bound to one session; a handler cannot tell
 * whether the tenant came from the key or from the request.
 */
export interface Scope extends TenantScope {
  sessionId: string | null;
}

/**
 * The rows that a client's key may look at across tenants: a dashboard's key sees its agency (or the one tenant that
 * the request names), a session's key sees its session.
 */
export interface Reach {
  agencyId: string;
  tenantId: string | null;
  sessionId: string | null;
}

/**
 * The credentials that somebody may see: of an agency, those that show one tenant of it, or those that one key or link
 * has made.
 */
export interface CredentialsSeen {
  agencyId: string;
  tenantId: string | null;
  maker: string | null;
}
