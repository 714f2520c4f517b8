// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The address, the event types and the pace of an endpoint. */
export interface CreateWebhookEndpoint {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The address that receives events: https, or http in development. At most 2,048 characters, without a user name or password. */
  url: string;
  /** A note for people about what the endpoint is for, up to 500 characters. */
  description?: string | null | undefined;
  /** The event types that the endpoint gets. If omitted, `message` and `message.ack`. */
  events?:
    | (
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
      )[]
    | undefined;
  /** The tenants whose events it receives. Null means every tenant of the agency, and events about endpoints. */
  tenantIds?: string[] | null | undefined;
  /** `conversation`: an event waits until the previous event of its conversation has arrived. `fifo`: each event waits for the previous one. */
  ordering?: 'conversation' | 'parallel' | 'fifo' | undefined;
  /** Attempts per second. Null means no limit. */
  ratePerSecond?: number | null | undefined;
  /** Requests at a time. If omitted, 10. With `fifo`, always one. */
  concurrency?: number | undefined;
  /** The time limit from the first byte sent to the last byte received. */
  timeoutMs?: number | undefined;
  /** The pause before each attempt; from the fourth attempt on, at least one second. Null means the engine's own ladder: twelve attempts in three days. */
  retryLadderMs?: number[] | null | undefined;
  /** The secret that signs its requests. If omitted, the engine generates one and shows it once. */
  secret?: string | undefined;
  /** Headers that every request carries, up to 20. Their values are never shown again. */
  headers?: Record<string, string> | undefined;
}

/** Omitted fields stay unchanged. */
export interface UpdateWebhookEndpoint {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The address that receives events: https, or http in development. At most 2,048 characters, without a user name or password. */
  url?: string | undefined;
  /** A note for people about what the endpoint is for, up to 500 characters. */
  description?: string | null | undefined;
  /** The event types that the endpoint gets. If omitted, `message` and `message.ack`. */
  events?:
    | (
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
      )[]
    | undefined;
  /** The tenants whose events it receives. Null means every tenant of the agency, and events about endpoints. */
  tenantIds?: string[] | null | undefined;
  /** `conversation`: an event waits until the previous event of its conversation has arrived. `fifo`: each event waits for the previous one. */
  ordering?: 'conversation' | 'parallel' | 'fifo' | undefined;
  /** Attempts per second. Null means no limit. */
  ratePerSecond?: number | null | undefined;
  /** Requests at a time. If omitted, 10. With `fifo`, always one. */
  concurrency?: number | undefined;
  /** The time limit from the first byte sent to the last byte received. */
  timeoutMs?: number | undefined;
  /** The pause before each attempt; from the fourth attempt on, at least one second. Null means the engine's own ladder: twelve attempts in three days. */
  retryLadderMs?: number[] | null | undefined;
  /** Sets the named headers. A null value removes one header; null instead of the object removes all. */
  headers?: Record<string, string | null> | null | undefined;
}

/** The new secret, and how long the old one also signs. */
export interface RotateWebhookSecret {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** If omitted, the engine generates one. */
  secret?: string | undefined;
  /** How long the old secret also signs: until then, each request carries two signatures. Defaults to `24`. */
  overlapHours?: number | undefined;
}

/** Why it is paused. */
export interface PauseWebhookEndpoint {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The reason, in 1 to 500 characters. It is kept in the endpoint's history. */
  reason?: string | undefined;
}

/** Why it is resumed, and what is retried. */
export interface ResumeWebhookEndpoint {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The reason, in 1 to 500 characters. It is kept in the endpoint's history. */
  reason?: string | undefined;
  /** Also retries the deliveries that used up their attempts since the endpoint began to fail. Defaults to `false`. */
  recover?: boolean | undefined;
  /** The `continueFrom` of the last response, if it had one, to continue with the next part. */
  continueFrom?: string | undefined;
}

/** Which event to send. */
export interface TestWebhookEndpoint {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** Sends the catalogue's example of this event type, with `metadata.test`. Defaults to `endpoint.test`. */
  event?:
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
    | undefined;
}

/** The time span whose events are sent again. */
export interface WebhookReplaySpan {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** Events from this time on, with any UTC offset. */
  since: string;
  /** Events before this time. If omitted, now. */
  until?: string | undefined;
  /** Only counts; sends nothing. Defaults to `false`. */
  dryRun?: boolean | undefined;
  /** The `continueFrom` of the last response, if it had one, to continue with the next part. */
  continueFrom?: string | undefined;
}

export interface WebhookEndpointsListQuery {
  /** Only those that get this tenant's events. */
  tenantId?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WebhookEndpointsReadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WebhookEndpointsDeleteQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WebhookEndpointsReadStatisticsQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}
