// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A notice about an endpoint. */
export interface WebhookNotice {
  /** The id of the notice. */
  id: string;
  /** The agency that was notified. */
  agencyId: string;
  /** The id of a webhook endpoint. */
  endpointId: string;
  /** The subject of the notice. The event of the same name goes to the agency's other endpoints. */
  type: 'endpoint.failing' | 'endpoint.disabled' | 'endpoint.recovered';
  /** When the notice was written. */
  at: string;
  /** The endpoint's URL at that time. */
  url: string;
  /** Whether events are sent. */
  status: 'active' | 'paused' | 'disabled';
  /** The reason for the notice. */
  reason: 'failing_for' | 'events_exhausted' | 'gone' | 'failing_for_days' | 'by_request' | 'answers_again';
  /** When it began to fail. Null once it is healthy. */
  failingSince: string | null;
  /** The class of the last failed attempt. */
  lastError: string | null;
  /** Events that waited for the endpoint at that time. */
  pending: number;
}

export interface WebhookNoticesListAnswer {
  /** The notices on this page. */
  notices: WebhookNotice[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface WebhookNoticesListAllAnswer {
  /** The notices on this page. */
  notices: WebhookNotice[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
