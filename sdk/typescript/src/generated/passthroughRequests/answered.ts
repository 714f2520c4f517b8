// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A request that was passed on to a route of the messaging backend, without its body. */
export interface PassedRequest {
  /** When its answer had ended. */
  at: string;
  /** As its answer had it in X-Request-Id. */
  requestId: string;
  /** The key that asked; `master` for that of the operator. */
  keyId: string;
  /** The tenant whose session it was for. */
  tenantId: string;
  /** The session that it was for. */
  sessionId: string;
  /** The HTTP method. */
  method: string;
  /** The route with its parameters by name, as the path may hold numbers. */
  route: string;
  /** The HTTP status of the answer. */
  status: number;
  /** From the whole request to the answer. */
  durationMs: number;
  /** The size of its body. */
  requestBytes: number;
  /** What was written of the answer, head included. */
  responseBytes: number;
}

export interface PassthroughRequestsListAnswer {
  /** The requests of this page, the newest first. */
  requests: PassedRequest[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
