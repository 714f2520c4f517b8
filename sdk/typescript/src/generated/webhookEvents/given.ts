// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Where the event goes again. */
export interface ResendWebhookEvent {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The endpoint that gets it; every one that it was for when left out. */
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
  /** Only those of one tenant. */
  tenantId?: string | undefined;
  /** Only those of one session. */
  sessionId?: string | undefined;
  /** Looked for in the seven days before `until` or now, unless `since` says from when. */
  conversationId?: string | undefined;
  /** Only from this time on, with any offset. */
  since?: string | undefined;
  /** Only before this time, with any offset. */
  until?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the next page of the list. */
  cursor?: string | undefined;
  /** `start`, or the `nextCursor` of the pull before. */
  after?: string | undefined;
  /** With `after`: seconds that the answer is held while there is nothing new; 200 requests of an agency at a time, else 429. */
  wait?: number | undefined;
  /** With `after`: also the events of `test`, which went to one endpoint. */
  tests?: boolean | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface WebhookEventsReadQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface WebhookEventsReadPayloadQuery {
  /** Part of the address, which proves that the engine gave it out. */
  signature: string;
}
