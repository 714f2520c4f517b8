// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A request that was passed on to a route of the messaging backend, without its body. */
export interface PassedRequest {
  /** When its response ended. */
  at: string;
  /** The id of the request, as in the X-Request-Id header of its response. */
  requestId: string;
  /** The key of the request; `master` for the operator's key. */
  keyId: string;
  /** The tenant whose session it was for. */
  tenantId: string;
  /** The session that it was for. */
  sessionId: string;
  /** The HTTP method. */
  method: string;
  /** The route with the names of its parameters, because the path may contain phone numbers. */
  route: string;
  /** The HTTP status of the response. */
  status: number;
  /** The time from the complete request to the response. */
  durationMs: number;
  /** The size of its body. */
  requestBytes: number;
  /** How many bytes of the response were written, including its head. */
  responseBytes: number;
}

export interface PassthroughRequestsListAnswer {
  /** The requests of this page, the newest first. */
  requests: PassedRequest[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
