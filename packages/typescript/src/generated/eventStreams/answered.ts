// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An event stream that a reader has open. */
export interface EventStream {
  /** The id of an open event stream. */
  id: string;
  /** The key that opened it, or that created the link whose login opened it. Null if that is the master key. */
  keyId: string | null;
  /** The console link whose login opened it. Null without a link. */
  linkId: string | null;
  /** The console login that opened it, with which it ends. Null if no login did. */
  loginId: string | null;
  /** The only tenant that it shows. Null for all of the agency. */
  tenantId: string | null;
  /** The only session that it shows. Null for all sessions. */
  sessionId: string | null;
  /** When it was opened. */
  openedAt: string;
}

export interface EventStreamsListAnswer {
  /** The streams on this page. */
  streams: EventStream[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
