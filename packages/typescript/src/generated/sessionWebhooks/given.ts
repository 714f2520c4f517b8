// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Where the session's events go, and which. */
export interface PutSessionEndpoint {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. Omit it with a session's key. With other keys you may omit it if the agency has only one tenant, or if path, query or body names an object of the tenant, such as a session. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Where events are posted: https, or http in development. At most 2,048 characters, without a user name or password. */
  url: string;
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
  /** A note for people about what the endpoint is for, up to 500 characters. */
  description?: string | null | undefined;
  /** The secret that signs its requests. If omitted, the engine generates one and shows it once. */
  secret?: string | undefined;
}

export interface SessionWebhooksListQuery {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. Omit it with a session's key. With other keys you may omit it if the agency has only one tenant, or if path, query or body names an object of the tenant, such as a session. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionWebhooksDeleteQuery {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. Omit it with a session's key. With other keys you may omit it if the agency has only one tenant, or if path, query or body names an object of the tenant, such as a session. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}
