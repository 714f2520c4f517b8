// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A type of events. */
export interface WebhookEventKind {
  /** The type, as `event` of the body says it. */
  type: string;
  /** What it tells, in a few words. */
  title: string;
  /** What has happened when it is sent. */
  when: string;
  /** JSON Schema 2020-12 of the whole body. */
  schema: Record<string, unknown>;
  /** A body of this type. */
  example: {
    /** The type. */
    event: string;
    /** What has happened. */
    payload: Record<string, unknown>;
    /** Whose it is, its id and its place. */
    metadata: Record<string, unknown>;
  };
}

export interface WebhookEventTypesListAnswer {
  /** Every type. */
  eventTypes: WebhookEventKind[];
  /** The list is whole. */
  hasMore: false;
}
