// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Where events go, which, and how fast. */
export interface CreateWebhookEndpoint {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** Where events are posted: https, or http in development, 2,048 characters at most, without a user name or password. */
  url: string;
  /** What it is for, in 500 characters at most; for people. */
  description?: string | null | undefined;
  /** The types of events that it gets; `message` and `message.ack` when left out. */
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
  /** Whose events it gets; null is every tenant of the agency, and events of endpoints. */
  tenantIds?: string[] | null | undefined;
  /** `conversation`: an event waits until the one before it of its conversation has arrived. `fifo`: all wait for one another. `parallel`: none waits. */
  ordering?: 'conversation' | 'parallel' | 'fifo' | undefined;
  /** Attempts a second; null is no limit. */
  ratePerSecond?: number | null | undefined;
  /** Requests at a time; 10 when left out, one with `fifo`. */
  concurrency?: number | undefined;
  /** From the first byte sent to the last received. */
  timeoutMs?: number | undefined;
  /** The pause before each attempt, from the fourth on at least a second; null is the engine's, twelve attempts in three days. */
  retryLadderMs?: number[] | null | undefined;
  /** What its requests are signed with. One is made and shown once when it is left out. */
  secret?: string | undefined;
  /** Headers that every request bears, 20 at most. Their values are never shown again. */
  headers?: Record<string, string> | undefined;
}

/** What is left out stays as it is. */
export interface UpdateWebhookEndpoint {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** Where events are posted: https, or http in development, 2,048 characters at most, without a user name or password. */
  url?: string | undefined;
  /** What it is for, in 500 characters at most; for people. */
  description?: string | null | undefined;
  /** The types of events that it gets; `message` and `message.ack` when left out. */
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
  /** Whose events it gets; null is every tenant of the agency, and events of endpoints. */
  tenantIds?: string[] | null | undefined;
  /** `conversation`: an event waits until the one before it of its conversation has arrived. `fifo`: all wait for one another. `parallel`: none waits. */
  ordering?: 'conversation' | 'parallel' | 'fifo' | undefined;
  /** Attempts a second; null is no limit. */
  ratePerSecond?: number | null | undefined;
  /** Requests at a time; 10 when left out, one with `fifo`. */
  concurrency?: number | undefined;
  /** From the first byte sent to the last received. */
  timeoutMs?: number | undefined;
  /** The pause before each attempt, from the fourth on at least a second; null is the engine's, twelve attempts in three days. */
  retryLadderMs?: number[] | null | undefined;
  /** Sets those that are named; null takes one away, or all. */
  headers?: Record<string, string | null> | null | undefined;
}

/** The new secret, and how long the old one signs along. */
export interface RotateWebhookSecret {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** A new one is made when it is left out. */
  secret?: string | undefined;
  /** How long the old secret signs along with the new one: each request then bears two signatures. Left out, it is `24`. */
  overlapHours?: number | undefined;
}

/** Why it is paused. */
export interface PauseWebhookEndpoint {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** Why, in 1 to 500 characters; kept in its history. */
  reason?: string | undefined;
}

/** Why it is resumed, and what is tried again. */
export interface ResumeWebhookEndpoint {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** Why, in 1 to 500 characters; kept in its history. */
  reason?: string | undefined;
  /** Tries again, too, what used up its attempts since the endpoint began to fail. Left out, it is `false`. */
  recover?: boolean | undefined;
  /** The last answer's, where it had one: the next part. */
  continueFrom?: string | undefined;
}

/** Which event is sent. */
export interface TestWebhookEndpoint {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** Sends this kind's example of the catalogue, with `metadata.test`. Left out, it is `endpoint.test`. */
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

/** The span of time whose events are sent again. */
export interface WebhookReplaySpan {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** Events from this time on, with any offset. */
  since: string;
  /** Events before this time; now when left out. */
  until?: string | undefined;
  /** Only counts. Left out, it is `false`. */
  dryRun?: boolean | undefined;
  /** The last answer's, where it had one: the next part. */
  continueFrom?: string | undefined;
}

export interface WebhookEndpointsListQuery {
  /** Those that get this tenant's events. */
  tenantId?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface WebhookEndpointsReadQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface WebhookEndpointsDeleteQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}
