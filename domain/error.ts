/**
 * The one table of errors: the API's status, the name of the failure in Temporal, and whether a retry can help. A
 * dashboard's error and the Temporal UI show the same word.
 */
export const ERRORS = {
  invalid_request: { status: 422, retry: false, title: 'The request does not fit its description' },
  recipient_required: { status: 422, retry: false, title: 'No recipient was named' },
  content_required: { status: 422, retry: false, title: 'There is nothing to send' },
  invalid_recipient: { status: 422, retry: false, title: 'The recipient is not a phone number, contact or chat' },
  bad_request_target: { status: 400, retry: false, title: 'The request target cannot be accepted' },
  malformed_json: { status: 400, retry: false, title: 'The body is not valid JSON' },
  ambiguous_credentials: { status: 400, retry: false, title: 'More than one API key was sent' },
  unauthorized: { status: 401, retry: false, title: 'The key is missing or not valid' },
  invalid_signature: { status: 401, retry: false, title: 'The signature does not fit the body' },
  dashboard_suspended: { status: 403, retry: false, title: 'The dashboard is suspended' },
  forbidden: { status: 403, retry: false, title: 'This key may not do that' },
  not_found: { status: 404, retry: false, title: 'There is no such thing' },
  unknown_route: { status: 404, retry: false, title: 'There is no such route' },
  method_not_allowed: { status: 405, retry: false, title: 'The route does not take this method' },
  already_registered: { status: 409, retry: false, title: 'The agency is registered already' },
  name_taken: { status: 409, retry: false, title: 'The name is taken' },
  session_not_ready: { status: 409, retry: true, title: 'The session is not in the state this needs' },
  idempotency_in_progress: { status: 409, retry: true, title: 'An equal request is still under way' },
  idempotency_key_reused: { status: 422, retry: false, title: 'The Idempotency-Key belongs to another request' },
  message_on_its_way: { status: 409, retry: false, title: 'The message is on its way already' },
  message_ended: { status: 409, retry: false, title: 'The message has ended already' },
  message_not_ended: { status: 409, retry: false, title: 'The message has not ended yet' },
  message_not_uncertain: { status: 409, retry: false, title: 'It is known what became of the message' },
  message_resent: { status: 409, retry: false, title: 'The message was sent again already' },
  message_was_sent: { status: 409, retry: false, title: 'The message was sent' },
  endpoint_limit: { status: 409, retry: false, title: 'The agency has as many webhook endpoints as it may' },
  endpoint_managed: { status: 409, retry: false, title: 'The endpoint belongs to a setting' },
  delivery_in_flight: { status: 409, retry: true, title: 'The delivery is being attempted' },
  delivery_ended: { status: 409, retry: false, title: 'The delivery has ended already' },
  event_expired: { status: 410, retry: false, title: 'The event is not kept any more' },
  cursor_expired: { status: 410, retry: false, title: 'Events after the cursor are not kept any more' },
  cursor_invalid: { status: 410, retry: false, title: 'The cursor is of a time that the database does not know' },
  body_too_large: { status: 413, retry: false, title: 'The body is too large' },
  unsupported_media_type: { status: 415, retry: false, title: 'The body is not application/json' },
  too_many_rehearsals: { status: 429, retry: true, title: 'The tenant has as many rehearsals running as it may' },
  too_many_waiting: { status: 429, retry: true, title: 'Too many requests wait for events already' },
  internal: { status: 500, retry: true, title: 'Something went wrong on our side' },
  model_failed: { status: 502, retry: false, title: 'The model does not answer this turn' },
  model_unavailable: { status: 503, retry: true, title: 'The model does not answer right now' },
  media_unavailable: { status: 502, retry: true, title: 'The file of the message could not be fetched' },
  backend_error: { status: 502, retry: true, title: 'The messaging backend answered with an error' },
  backend_unavailable: { status: 503, retry: true, title: 'The messaging backend cannot be reached' },
  unavailable: { status: 503, retry: true, title: 'The engine cannot do this right now' },
} as const satisfies Record<string, { status: number; retry: boolean; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

export interface FieldError {
  /** JSON pointer into the body, or `query/<name>`, `path/<name>`, `header/<name>`. */
  pointer: string;
  message: string;
}

/** An error that a caller may see. `detail` says what to do next and never holds a secret or a person's data. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: ErrorCode;
  readonly fields: FieldError[];
  readonly headers: Record<string, string>;
  /** The pause after which a retry may help; undefined when the other side has named none. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    extra: { fields?: FieldError[]; headers?: Record<string, string>; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(detail, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.code = code;
    this.fields = extra.fields ?? [];
    this.headers = extra.headers ?? {};
    this.retryAfterMs = extra.retryAfterMs;
  }
}

/**
 * Makes the error of a request whose fields are wrong in a way that its schema cannot express; `detail` says what to do
 * next.
 */
export function invalid(
  wrong: FieldError | readonly FieldError[],
  detail = 'Correct the fields named in errors.',
): EngineError {
  return new EngineError('invalid_request', detail, { fields: [wrong].flat() });
}

/** Makes the error for a missing object and for another tenant's alike, so that nobody learns which it was. */
export function notFound(what: string, pointer?: string): EngineError {
  const fields = pointer === undefined ? [] : [{ pointer, message: `names no ${what}` }];
  return new EngineError('not_found', `There is no such ${what}.`, { fields });
}
