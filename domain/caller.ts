import type { ConsolePage } from './console/pages.ts';
import type { KeyScope } from './tenants/api-key.ts';

/** The bounds of somebody who came by a link, which scopes of a key cannot express. */
export interface LinkBounds {
  tenantId: string;
  /** The one endpoint that it shows; null for what its pages show. */
  endpointId: string | null;
  readOnly: boolean;
  pages: readonly ConsolePage[];
  /** The origins whose pages may show the console in a frame, and call the API with its login. */
  embedIn: readonly string[];
}

/**
 * The login of the console by which somebody came. Objects that it makes end with it, but a key ends only when a person
 * ends the login.
 */
export interface LoginRef {
  id: string;
  expiresAt: Date;
  /**
   * The tenant of a link, and the one endpoint that it shows: whoever sees that alone sees no people. Its holder acts
   * under its name.
   */
  link?: { name: string; tenantId: string; endpointId: string | null } | null;
}

/**
 * The holder of a key, before the request says for which tenant it acts. A caller with a link has its id in place of a
 * key's.
 */
export type Caller =
  | {
      kind: 'session';
      keyId: string;
      agencyId: string;
      tenantId: string;
      sessionId: string;
      scopes: readonly KeyScope[];
      bounds?: LinkBounds;
      login?: LoginRef;
    }
  | {
      kind: 'dashboard';
      keyId: string;
      agencyId: string;
      scopes: readonly KeyScope[];
      bounds?: LinkBounds;
      login?: LoginRef;
    }
  | { kind: 'master'; login?: LoginRef };
