// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Who keeps a copy of the inbox. */
export interface Mirror {
  /** The tenants whose inboxes are mirrored by pull or stream; null is every tenant of the agency. */
  tenantIds: string[] | null;
  /** The kinds of events that are written only for those who mirror. */
  events: ('message.any' | 'message.updated' | 'message.deleted' | 'conversation.updated')[];
  /** The endpoints that ask for such events themselves. */
  endpointIds: string[];
}
