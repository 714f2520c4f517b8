// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface WebhookDeliveriesListQuery {
  /** Only those of this endpoint. */
  endpointId?: string | undefined;
  /** Only those of this event. */
  eventId?: string | undefined;
  /** Only deliveries with this status. */
  status?: 'pending' | 'delivered' | 'failed' | 'cancelled' | undefined;
  /** Only from this time on, with any UTC offset. */
  since?: string | undefined;
  /** Only before this time, with any UTC offset. */
  until?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface WebhookDeliveriesReadQuery {
  /** Returns the delivery only if it belongs to this endpoint. A caller that sees a single endpoint names it here. */
  endpointId?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface WebhookDeliveriesResendQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WebhookDeliveriesCancelQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}
