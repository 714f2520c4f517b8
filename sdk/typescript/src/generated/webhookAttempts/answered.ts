// Made from openapi.json by `npm run client`: change the routes, not this file.

/** One HTTP request to an endpoint. */
export interface WebhookAttempt {
  /** The delivery that it belongs to. */
  deliveryId: string;
  /** The first attempt of a delivery is 1. */
  number: number;
  /** The id of a webhook endpoint. */
  endpointId: string;
  /** The id of an event. */
  eventId: string;
  /** When it began. */
  at: string;
  /** How it ended. */
  class:
    | 'delivered'
    | 'redirect_not_followed'
    | 'client_error'
    | 'not_ready'
    | 'gone'
    | 'throttled'
    | 'server_error'
    | 'gateway_error'
    | 'timeout'
    | 'dns_error'
    | 'connection_refused'
    | 'connection_reset'
    | 'network_unreachable'
    | 'tls_error'
    | 'invalid_response'
    | 'network_error'
    | 'blocked_address'
    | 'insecure_url'
    | 'engine_error'
    | 'secret_unreadable'
    | 'released';
  /** More likely a wrong address or handler than an outage. */
  likelyConfiguration: boolean;
  /** The HTTP status of the answer. Null where there was none. */
  status: number | null;
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** Milliseconds until the connection was there. Null on a reused one. */
  connectMs: number | null;
  /** Milliseconds until the first byte of the answer. Null where none came. */
  firstByteMs: number | null;
  /** True where it went over a connection of an earlier attempt. */
  reusedConnection: boolean;
  /** The one attempt now and then at an endpoint that failed too often. */
  probe: boolean;
  /** Where a redirect that was not followed points to. */
  location: string | null;
  /** The first bytes of the answer. */
  responseExcerpt: string | null;
}

export interface WebhookAttemptsListAnswer {
  /** The attempts of this page. */
  attempts: WebhookAttempt[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
