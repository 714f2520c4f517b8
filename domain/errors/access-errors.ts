import type { ErrorEntry } from './entry.ts';

/** The caller may not do this. */
export const ACCESS_ERRORS = {
  ambiguous_credentials: {
    status: 400,
    retry: false,
    title: 'Ambiguous credentials',
    cause: 'The request has more than one API key, in `X-API-Key`, in `API-Key`, or in both.',
    mend: 'Send one `X-API-Key` header with one key.',
    example: { detail: 'Send one X-API-Key header with one key.' },
  },
  unauthorized: {
    status: 401,
    retry: false,
    title: 'Unauthorized',
    cause:
      'The key is missing, mistyped, expired or revoked, or it belongs to another engine. The usual reason is an empty shell variable.',
    mend: 'Send a valid key in `X-API-Key`. A lost key cannot be shown again: create another one.',
    example: { detail: 'Send a valid key in the X-API-Key header.' },
  },
  ticket_invalid: {
    status: 401,
    retry: false,
    title: 'Ticket invalid',
    cause: 'The link into the console was already used, has expired, was revoked, or does not belong to this engine.',
    mend: 'Log in with a key, or ask the sender of the link for a new one: each link works once.',
    example: { detail: 'This link no longer works: each link works once. Log in with a key, or ask for a new link.' },
  },
  cross_site_refused: {
    status: 403,
    retry: false,
    title: 'Cross-site request refused',
    cause: "The request has the console's cookie, but comes from a page of another origin or from a plain form.",
    mend: 'Programs send a key in `X-API-Key` and no cookie. The console sends `X-Requested-With: engine-console`.',
    example: { detail: "The console's cookie is accepted only in requests from the console itself." },
  },
  invalid_signature: {
    status: 401,
    retry: false,
    title: 'Invalid signature',
    cause:
      'The signature does not match the bytes of the body: it was made with another secret, or the body was changed in transit.',
    mend: 'Sign the raw body with HMAC-SHA512 and the secret that the engine has for the backend.',
    example: { detail: 'Sign the raw body with HMAC-SHA512 and the shared secret.' },
  },
  dashboard_suspended: {
    status: 403,
    retry: false,
    title: 'Dashboard suspended',
    cause: 'The operator of the engine has suspended the dashboard of this agency.',
    mend: 'Ask the operator to reactivate it. Nothing is lost in the meantime: waiting messages are sent afterwards.',
    example: { detail: 'The operator of the engine suspended this dashboard.' },
  },
  forbidden: {
    status: 403,
    retry: false,
    title: 'Forbidden',
    cause: 'The key is valid but of another kind than the route accepts, or it lacks a scope.',
    mend: "Use the key that `detail` names: the dashboard's, the master key, or a session's key with the scope.",
    example: { detail: "This route takes the dashboard's key: use that instead of a session's key." },
  },
  last_key: {
    status: 409,
    retry: false,
    title: 'Last key',
    cause: 'The dashboard asks to revoke its last key, not counting keys that were replaced.',
    mend: 'Create another key first, or rotate this one: the new key replaces it.',
    example: { detail: 'The dashboard would have no key left: create another one first, or rotate this one.' },
  },
  too_many_failed_keys: {
    status: 429,
    retry: true,
    retryAfter: true,
    title: 'Too many failed keys',
    cause: 'Within a minute, too many requests without a valid key came from this address, or named this key.',
    mend: 'Wait for the seconds in `Retry-After`, then send a valid key.',
    example: { detail: 'Too many requests without a valid key: wait, then send the right one.' },
  },
  rate_limited: {
    status: 429,
    retry: true,
    retryAfter: true,
    title: 'Too many requests',
    cause:
      'The key, all keys of its agency together, or an address without a key exceeded the rate limit; nothing was done.',
    mend: 'Send the request again after the seconds in `Retry-After`; the header `RateLimit` shows what is left.',
    example: { detail: 'Wait 2 s and send the request again; the RateLimit header shows the units left.' },
  },
  storage_limit: {
    status: 429,
    retry: false,
    title: 'Storage limit reached',
    cause: 'The files of the tenant, or of all tenants of its agency, take as many bytes as they may.',
    mend:
      'Delete uploads and exports that you do not need, set `mediaRetentionDays`, or ask the operator for more. ' +
      '`GET /api/v1/tenants/:tenantId/usage` shows what is used.',
    example: {
      detail:
        'The tenant has reached its limit of stored bytes: delete uploads and exports, set mediaRetentionDays, or ' +
        'ask the operator for more.',
    },
  },
  too_many_rehearsals: {
    status: 429,
    retry: true,
    retryAfter: true,
    title: 'Too many rehearsals',
    cause:
      'Five rehearsals of the tenant are running, or its agency has reached the number that leaves some to other agencies.',
    mend: 'Wait until one has ended, for at least the seconds in `Retry-After`.',
    example: {
      detail: 'The tenant or its agency has reached its limit of running rehearsals. Wait until one has ended.',
    },
  },
  too_many_waiting: {
    status: 429,
    retry: true,
    retryAfter: true,
    title: 'Too many waiting requests',
    cause: 'Too many requests of the agency, or of all agencies, are held open to wait for events.',
    mend: 'Retry after the seconds in `Retry-After`, without `wait`, or keep fewer requests open at a time.',
    example: { detail: 'Retry later, without `wait`, or let fewer requests wait at a time.' },
  },
} as const satisfies Record<string, ErrorEntry>;
