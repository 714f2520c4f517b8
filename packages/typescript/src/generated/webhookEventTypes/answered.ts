// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An event type. */
export interface WebhookEventKind {
  /** The event type, as in `event` of the body. */
  type: string;
  /** A short title. */
  title: string;
  /** The occasion of this event. */
  when: string;
  /** JSON Schema 2020-12 of the whole body. */
  schema: Record<string, unknown>;
  /** A body of this type. */
  example: {
    /** The event type. */
    event: string;
    /** The event's data. */
    payload: Record<string, unknown>;
    /** The event's owner, id and position. */
    metadata: Record<string, unknown>;
  };
}

export interface WebhookEventTypesListAnswer {
  /** All event types. */
  eventTypes: WebhookEventKind[];
  /** The list is complete. */
  hasMore: false;
}
