// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The address and the event types for the session's events. */
export interface PutSessionEndpoint {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The address that receives events: https, or http in development. At most 2,048 characters, without a user name or password. */
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
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionWebhooksDeleteQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
