// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A link with its address, which is shown once. */
export interface ConsoleLinkCreated {
  /** The id of a link into the console. */
  id: string;
  /** The tenant whose data it shows. */
  tenantId: string;
  /** The one session that it shows. Null for all of the tenant. */
  sessionId: string | null;
  /** The one endpoint that it shows. Null for what `pages` say. */
  endpointId: string | null;
  /** Whom the link is for, as the console shows it to them. */
  name: string;
  /** True where whoever has the link may look, and change nothing. */
  readOnly: boolean;
  /** The pages that it opens; whatever else is asked for is refused. */
  pages: ('connect' | 'inbox' | 'message' | 'events' | 'agent' | 'automations')[];
  /** Origins whose pages may show it in a frame; none where it is empty. */
  embedIn: string[];
  /** How long whoever has opened it stays logged in. */
  loginSeconds: number;
  /** When it was made. */
  createdAt: string;
  /** Until when it can be opened. */
  expiresAt: string;
  /** When it was opened, which works once. Null before. */
  usedAt: string | null;
  /** When it was revoked. Null while it was not. */
  revokedAt: string | null;
  /** The address to give to whoever is to open it. It is shown once. Its ticket stands behind the `#`, which browsers send to nobody. */
  url: string;
}

/** A link that leads into the console without a key. */
export interface ConsoleLink {
  /** The id of a link into the console. */
  id: string;
  /** The tenant whose data it shows. */
  tenantId: string;
  /** The one session that it shows. Null for all of the tenant. */
  sessionId: string | null;
  /** The one endpoint that it shows. Null for what `pages` say. */
  endpointId: string | null;
  /** Whom the link is for, as the console shows it to them. */
  name: string;
  /** True where whoever has the link may look, and change nothing. */
  readOnly: boolean;
  /** The pages that it opens; whatever else is asked for is refused. */
  pages: ('connect' | 'inbox' | 'message' | 'events' | 'agent' | 'automations')[];
  /** Origins whose pages may show it in a frame; none where it is empty. */
  embedIn: string[];
  /** How long whoever has opened it stays logged in. */
  loginSeconds: number;
  /** When it was made. */
  createdAt: string;
  /** Until when it can be opened. */
  expiresAt: string;
  /** When it was opened, which works once. Null before. */
  usedAt: string | null;
  /** When it was revoked. Null while it was not. */
  revokedAt: string | null;
}

export interface ConsoleLinksListAnswer {
  /** The links of this page. */
  links: ConsoleLink[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
