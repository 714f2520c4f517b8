// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An event type. */
export interface WebhookEventKind {
  /** The event type, as in `event` of the body. */
  type: string;
  /** A short title. */
  title: string;
  /** What has happened when this event is sent. */
  when: string;
  /** JSON Schema 2020-12 of the whole body. */
  schema: Record<string, unknown>;
  /** A body of this type. */
  example: {
    /** The event type. */
    event: string;
    /** What happened. */
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
