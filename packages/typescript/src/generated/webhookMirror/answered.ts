// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The tenants whose inboxes are mirrored. */
export interface Mirror {
  /** The tenants whose inboxes are mirrored by pull or stream. Null means every tenant of the agency. */
  tenantIds: string[] | null;
  /** The event types that are written only for readers who mirror. */
  events: ('message.any' | 'message.updated' | 'message.deleted' | 'conversation.updated')[];
  /** The endpoints that ask for these event types themselves. */
  endpointIds: string[];
}
