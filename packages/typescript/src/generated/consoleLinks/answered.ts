// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A link with its address. Shown once. */
export interface ConsoleLinkCreated {
  /** The id of a link into the console. */
  id: string;
  /** The id of the key that created it, with which it ends. Null if it was the master key. */
  keyId: string | null;
  /** The id of the console login that created it, with which it ends. Null if no login did. */
  loginId: string | null;
  /** The tenant whose data it shows. */
  tenantId: string;
  /** The only session that it shows. Null if it shows the whole tenant. */
  sessionId: string | null;
  /** The only endpoint that it shows. Null if it shows what `pages` lists. */
  endpointId: string | null;
  /** The person for whom the link is. The console shows this name, and the audit log has it. */
  name: string;
  /** True if the holder of the link can only look and change nothing. */
  readOnly: boolean;
  /** The pages that it opens. Every other request is refused. */
  pages: ('connect' | 'inbox' | 'message' | 'events' | 'agent' | 'automations')[];
  /** Origins whose pages may show it in a frame. If empty, none. */
  embedIn: string[];
  /** How long the person who opened it stays logged in. */
  loginSeconds: number;
  /** When it was created. */
  createdAt: string;
  /** Until when it can be opened. */
  expiresAt: string;
  /** When it was opened, which works once. Null before that. */
  usedAt: string | null;
  /** When it was revoked. Null if it was not. */
  revokedAt: string | null;
  /** The address for the person who will open it. Shown once. */
  url: string;
}

/** A link that leads into the console without a key. */
export interface ConsoleLink {
  /** The id of a link into the console. */
  id: string;
  /** The id of the key that created it, with which it ends. Null if it was the master key. */
  keyId: string | null;
  /** The id of the console login that created it, with which it ends. Null if no login did. */
  loginId: string | null;
  /** The tenant whose data it shows. */
  tenantId: string;
  /** The only session that it shows. Null if it shows the whole tenant. */
  sessionId: string | null;
  /** The only endpoint that it shows. Null if it shows what `pages` lists. */
  endpointId: string | null;
  /** The person for whom the link is. The console shows this name, and the audit log has it. */
  name: string;
  /** True if the holder of the link can only look and change nothing. */
  readOnly: boolean;
  /** The pages that it opens. Every other request is refused. */
  pages: ('connect' | 'inbox' | 'message' | 'events' | 'agent' | 'automations')[];
  /** Origins whose pages may show it in a frame. If empty, none. */
  embedIn: string[];
  /** How long the person who opened it stays logged in. */
  loginSeconds: number;
  /** When it was created. */
  createdAt: string;
  /** Until when it can be opened. */
  expiresAt: string;
  /** When it was opened, which works once. Null before that. */
  usedAt: string | null;
  /** When it was revoked. Null if it was not. */
  revokedAt: string | null;
}

export interface ConsoleLinksListAnswer {
  /** The links on this page. */
  links: ConsoleLink[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface ConsoleLinksRevokeOfKeyAnswer {
  /** How many links it revoked. */
  revoked: number;
}
