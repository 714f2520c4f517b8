export interface Brand {
  name: string;
  colour: string | null;
  /** The name of its file at the engine. */
  logo: string | null;
}

/** The login, as `GET /console/session` returns it. */
export interface Who {
  kind: 'master' | 'dashboard' | 'session' | 'link';
  keyName: string | null;
  scopes: readonly string[] | 'all';
  agencyId: string | null;
  tenantId: string | null;
  sessionId: string | null;
  endpointId: string | null;
  readOnly: boolean;
  /** The pages that a link may open; null for all. */
  pages: readonly string[] | null;
  expiresAt: string;
  link: { id: string; name: string } | null;
  /** The agency's name, colour and logo, for people who came by a link. */
  brand: Brand | null;
  /** The address of Temporal's own pages. Null if it is not configured. */
  temporalUi: { url: string; namespace: string } | null;
  /** The origin of files, if it differs from the console's. */
  mediaOrigin: string | null;
  version: string;
  /** True where the messaging network is simulated. */
  sandbox: boolean;
}

/** The shown agency and tenant. A login for one tenant needs neither. */
export interface Place {
  agencyId?: string;
  tenantId?: string;
}

/** Returns the place in the address, as far as the key leaves a choice. */
export const placeOf = (who: Who | null, query: Readonly<Record<string, string>>): Place => {
  if (!who || who.tenantId !== null) return {};
  const agencyId = who.kind === 'master' ? query['agency'] : undefined;
  const tenantId = query['tenant'];
  return { ...(agencyId ? { agencyId } : {}), ...(tenantId ? { tenantId } : {}) };
};

export const mayOpen = (who: Who, page: { name: string; only?: (who: Who) => boolean }): boolean =>
  (who.pages === null || who.pages.includes(page.name)) && (page.only === undefined || page.only(who));

/** Tells one login's person from another, as far as the login says it. */
export const identityOf = (who: Who | null): string =>
  JSON.stringify([who?.kind, who?.keyName, who?.agencyId, who?.tenantId, who?.sessionId, who?.link?.id]);

/** The reach of a login. Somebody whose key was revoked continues with another key of the same reach. */
export const reachOf = (who: Who | null): string =>
  JSON.stringify([who?.agencyId, who?.tenantId, who?.sessionId, who?.link?.id]);
