// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface WebhookDeliveriesListQuery {
  /** Only those of one endpoint. */
  endpointId?: string | undefined;
  /** Only those of one event. */
  eventId?: string | undefined;
  /** Only deliveries in this state. */
  status?: 'pending' | 'delivered' | 'failed' | 'cancelled' | undefined;
  /** Only from this time on, with any offset. */
  since?: string | undefined;
  /** Only before this time, with any offset. */
  until?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface WebhookDeliveriesReadQuery {
  /** Only if it is of this endpoint; who sees one endpoint alone names it here. */
  endpointId?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface WebhookDeliveriesResendQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface WebhookDeliveriesCancelQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}
