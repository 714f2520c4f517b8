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

/** A browser of the operator's, or a ticket for one. */
export interface OperatorLogin {
  /** The id of the login, or of the link of a ticket. */
  id: string;
  /** The link of `npm start`. Null for a login by the master key. */
  linkId: string | null;
  /** True for a ticket that nobody has opened. */
  isTicket: boolean;
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

export interface ConsoleLoginsListOfOperatorAnswer {
  /** The logins and tickets on this page. */
  logins: OperatorLogin[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
