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
  /** The type of the event. Null if the event is no longer kept. */
  eventType:
    | 'message'
    | 'message.ack'
    | 'message.media'
    | 'message.any'
    | 'message.updated'
    | 'message.deleted'
    | 'message.edited'
    | 'message.revoked'
    | 'message.reaction'
    | 'message.vote'
    | 'call.updated'
    | 'session.status'
    | 'session.restricted'
    | 'session.quota'
    | 'session.silent'
    | 'session.recovered'
    | 'sync.progress'
    | 'conversation.assigned'
    | 'conversation.released'
    | 'conversation.labelled'
    | 'conversation.updated'
    | 'contact.updated'
    | 'contact.merged'
    | 'contact.unmerged'
    | 'contact.erased'
    | 'group.updated'
    | 'automation.started'
    | 'automation.completed'
    | 'automation.failed'
    | 'endpoint.failing'
    | 'endpoint.disabled'
    | 'endpoint.recovered'
    | 'endpoint.test'
    | null;
  /** The conversation of the event. Null if it has none, and for people who came by a link to one endpoint. */
  conversation: {
    /** The id of a conversation. */
    id: string;
    /** The name or the number, as in the inbox. */
    name: string;
  } | null;
  /** When the attempt began. */
  at: string;
  /** How the attempt ended. */
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
  /** True if a wrong address or handler is more likely than an outage. */
  likelyConfiguration: boolean;
  /** The HTTP status of the response. Null if there was none. */
  status: number | null;
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** Milliseconds until the connection was established. Null for a reused connection. */
  connectMs: number | null;
  /** Milliseconds until the first byte of the response. Null if there was none. */
  firstByteMs: number | null;
  /** True if it used the connection of an earlier attempt. */
  reusedConnection: boolean;
  /** True for an occasional single attempt at an endpoint that failed too often. */
  probe: boolean;
  /** The target of a redirect, which is not followed. */
  location: string | null;
  /** The first bytes of the response. */
  responseExcerpt: string | null;
}

export interface WebhookAttemptsListAnswer {
  /** The attempts on this page. */
  attempts: WebhookAttempt[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
