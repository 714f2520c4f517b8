import type { ErrorEntry } from './entry.ts';

/** The request itself is wrong: its body, its target, or what it names. */
export const REQUEST_ERRORS = {
  invalid_request: {
    status: 422,
    retry: false,
    title: 'Validation failed',
    cause: 'A field of the body, the query, the path or a header is missing, unknown, or outside its limits.',
    mend: 'Correct every field that `errors` names, then send the request again.',
    example: {
      detail: 'Correct the fields named in errors.',
      errors: [{ pointer: '/txt', message: 'is not a field of this request. Did you mean "text"?' }],
    },
  },
  recipient_required: {
    status: 422,
    retry: false,
    title: 'Recipient required',
    cause: 'The request names no recipient, and neither the key nor the tenant has a `defaultRecipient`.',
    mend:
      'Set `to` to a phone number with its country code, or set `contactId`, `chatId` or `conversationId`. For ' +
      'requests that name no recipient, set `defaultRecipient` in the settings of the tenant, or on the key when ' +
      'you create it.',
    example: {
      detail:
        'Name the recipient with to, contactId, chatId or conversationId. For requests that name none, set ' +
        'defaultRecipient with PUT /api/v1/tenants/{tenantId}/settings, or on the key with POST /api/v1/api-keys.',
      errors: [{ pointer: '/to', message: 'is required when no other recipient is named' }],
    },
  },
  content_required: {
    status: 422,
    retry: false,
    title: 'Content required',
    cause: 'The message has neither a text nor an attachment, or the change would leave it empty.',
    mend: 'Set `text` or `attachments`. To withdraw a message that waits, cancel it.',
    example: {
      detail: 'Send a text, attachments, or both.',
      errors: [{ pointer: '/text', message: 'is required if there are no attachments' }],
    },
  },
  invalid_recipient: {
    status: 422,
    retry: false,
    title: 'Invalid recipient',
    cause:
      'The recipient is neither a possible phone number, nor a contactId, nor a chat id; or it can be read as two ' +
      'different numbers.',
    mend: "Write the number with + and its country code, such as +5511912345678, or set the tenant's `country` for national numbers.",
    example: {
      detail: 'Send a phone number with its country code, a contactId or a chat id.',
      errors: [{ pointer: '/to', message: 'is not a phone number, contactId or chat id' }],
    },
  },
  bad_request_target: {
    status: 400,
    retry: false,
    title: 'Malformed request target',
    cause:
      'The path or the query is not canonical or too long, a header is repeated, or a query parameter is ' + 'unknown.',
    mend:
      'Remove double slashes and needless percent-encoding, send each header once, and use only the parameters that ' +
      'the route names.',
    example: { detail: 'The path has an empty segment; remove double and trailing slashes.' },
  },
  malformed_json: {
    status: 400,
    retry: false,
    title: 'Malformed JSON',
    cause: 'The body is not JSON in UTF-8, often because quotes were lost in a shell or a template.',
    mend: 'Serialize the body with a JSON library and send it as UTF-8.',
    example: { detail: 'The body cannot be read as JSON in UTF-8: check its quotes, commas and braces.' },
  },
  not_found: {
    status: 404,
    retry: false,
    title: 'Not found',
    cause:
      'The object does not exist, was deleted, or belongs to another tenant, agency or session than the one that ' +
      'the key acts for.',
    mend: 'Check the id and the agency, tenant or session of the request; `errors` says which field matches nothing.',
    example: {
      detail: 'Conversation not found.',
      errors: [{ pointer: 'path/conversationId', message: 'names no conversation' }],
    },
  },
  unknown_route: {
    status: 404,
    retry: false,
    title: 'Route not found',
    cause:
      'The engine has no such path and does not pass it on to the messaging backend. Case and trailing slashes ' +
      'count.',
    mend: 'Compare the path with the API reference at /docs/api, or a path of the backend with /docs/backend-routes, which says who may use it.',
    example: { detail: 'The routes are listed at /docs/api.' },
  },
  method_not_allowed: {
    status: 405,
    retry: false,
    title: 'Method not allowed',
    cause: 'The path exists, but not with this HTTP method.',
    mend: 'Use one of the methods in the `Allow` header.',
    example: { detail: 'Use GET, POST.' },
  },
  body_too_large: {
    status: 413,
    retry: false,
    title: 'Body too large',
    cause: 'The body has more bytes than the route accepts, often because it contains a file.',
    mend: 'Send files by URL, in `attachments`, and split the rest into several requests.',
    example: { detail: 'The body may have at most 1048576 bytes.' },
  },
  unsupported_media_type: {
    status: 415,
    retry: false,
    title: 'Unsupported media type',
    cause: 'The body was sent without `Content-Type: application/json`, or compressed.',
    mend: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
    example: { detail: 'Send JSON in UTF-8 with Content-Type: application/json.' },
  },
  idempotency_key_reused: {
    status: 422,
    retry: false,
    title: 'Idempotency key reused',
    cause: 'The `Idempotency-Key` was already used for a different request to the same route.',
    mend: 'Generate a new key for each new request. To retry a request, send the same key and the same body.',
    example: { detail: 'Send another Idempotency-Key, or the same request as before.' },
  },
} as const satisfies Record<string, ErrorEntry>;
