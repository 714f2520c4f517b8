// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A browser that is logged in to the console. */
export interface ConsoleLogin {
  /** The id of a login to the console. */
  id: string;
  /** The key that logged in, or that created the link. Null if the master key created the link. */
  keyId: string | null;
  /** The link that was opened. Null for a login by key. */
  linkId: string | null;
  /** The only tenant that it shows. Null for all of the agency. */
  tenantId: string | null;
  /** When it was created. */
  createdAt: string;
  /** When it ends by itself. */
  expiresAt: string;
}

export interface ConsoleLoginsListAnswer {
  /** The logins on this page. */
  logins: ConsoleLogin[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
