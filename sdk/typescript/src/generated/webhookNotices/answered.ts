// Made from openapi.json by `npm run client`: change the routes, not this file.

/** What was to be told about an endpoint. */
export interface WebhookNotice {
  /** The id of the notice. */
  id: string;
  /** The agency that was told. */
  agencyId: string;
  /** The id of a webhook endpoint. */
  endpointId: string;
  /** What it tells; the event of the same name goes to the other endpoints of the agency. */
  type: 'endpoint.failing' | 'endpoint.disabled' | 'endpoint.recovered';
  /** When it was told. */
  at: string;
  /** Where the endpoint was then. */
  url: string;
  /** Whether events go out. */
  status: 'active' | 'paused' | 'disabled';
  /** Why it was told. */
  reason: 'failing_for' | 'events_exhausted' | 'gone' | 'failing_for_days' | 'by_request' | 'answers_again';
  /** When it began to fail. Null once it does well. */
  failingSince: string | null;
  /** The class of the last failed attempt. */
  lastError: string | null;
  /** Events that waited for it then. */
  pending: number;
}

export interface WebhookNoticesListAnswer {
  /** The notices of this page. */
  notices: WebhookNotice[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}

export interface WebhookNoticesListAllAnswer {
  /** The notices of this page. */
  notices: WebhookNotice[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
