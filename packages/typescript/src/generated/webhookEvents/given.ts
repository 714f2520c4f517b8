// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The endpoint for the repeated event. */
export interface ResendWebhookEvent {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The endpoint that gets the event. If omitted, every endpoint that the event was for gets it. */
  endpointId?: string | undefined;
}

export interface WebhookEventsListQuery {
  /** Only events of this type. */
  type?:
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
  /** Only those of this tenant. */
  tenantId?: string | undefined;
  /** Only those of this session. */
  sessionId?: string | undefined;
  /** Only those of this conversation. Searches the seven days before `until` (or before now), unless `since` gives the start. */
  conversationId?: string | undefined;
  /** Only from this time on, with any UTC offset. */
  since?: string | undefined;
  /** Only before this time, with any UTC offset. */
  until?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, to get the next page of the list. */
  cursor?: string | undefined;
  /** `start`, or the `nextCursor` of the previous pull. */
  after?: string | undefined;
  /** With `after`: how many seconds the request waits if there is nothing new. Up to 200 requests of an agency wait at a time; further ones return 429. */
  wait?: number | undefined;
  /** With `after`: also return the events of `test`, which went to one endpoint only. */
  tests?: boolean | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WebhookEventsReadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface WebhookEventsReadPayloadQuery {
  /** Part of the address, which proves that the engine issued it. */
  signature: string;
}
