import type { ErrorEntry } from './entry.ts';

/** The caller may not do this. */
export const ACCESS_ERRORS = {
  ambiguous_credentials: {
    status: 400,
    retry: false,
    title: 'Ambiguous credentials',
    cause: 'The request holds more than one API key, in `X-API-Key`, in `API-Key`, or in both.',
    mend: 'Send one `X-API-Key` header with one key.',
    example: { detail: 'Send one X-API-Key header with one key.' },
  },
  unauthorized: {
    status: 401,
    retry: false,
    title: 'Unauthorized',
    cause:
      'The key is missing, mistyped, expired or revoked, or it is of another engine. An empty shell variable is the usual reason.',
    mend: 'Send a valid key in `X-API-Key`. A lost key cannot be shown again: make another one.',
    example: { detail: 'Send a valid key in the X-API-Key header.' },
  },
  invalid_signature: {
    status: 401,
    retry: false,
    title: 'Invalid signature',
    cause: 'The signature does not match the bytes of the body: another secret, or a body that was changed on the way.',
    mend: 'Sign the raw body with HMAC-SHA512 and the secret that the engine has for the backend.',
    example: { detail: 'Sign the raw body with HMAC-SHA512 and the shared secret.' },
  },
  dashboard_suspended: {
    status: 403,
    retry: false,
    title: 'Dashboard suspended',
    cause: 'The operator of the engine has suspended the dashboard of this agency.',
    mend: 'Ask the operator to reactivate it. Nothing is lost meanwhile: messages that wait go out afterwards.',
    example: { detail: 'The operator of the engine suspended this dashboard.' },
  },
  forbidden: {
    status: 403,
    retry: false,
    title: 'Forbidden',
    cause: 'The key is valid and of another kind than the route takes, or it lacks a scope.',
    mend: "Use the key that `detail` names: the dashboard's, the master key, or a session's key with the scope.",
    example: { detail: "This route takes the dashboard's key." },
  },
  last_key: {
    status: 409,
    retry: false,
    title: 'Last key',
    cause: 'The key is the last one of the dashboard that goes on, and the dashboard asks to revoke it.',
    mend: 'Make another one first, or rotate this one: the new one takes its place.',
    example: { detail: 'The dashboard would have no key any more: make another one first, or rotate this one.' },
  },
  too_many_failed_keys: {
    status: 429,
    retry: true,
    title: 'Too many failed keys',
    cause: 'Too many requests without a valid key came from this address, or named this key, within a minute.',
    mend: 'Wait for the seconds in `Retry-After`, then send a valid key.',
    example: { detail: 'Too many requests without a valid key: wait, then send the right one.' },
  },
  too_many_rehearsals: {
    status: 429,
    retry: true,
    title: 'Too many rehearsals',
    cause: 'Five rehearsals of the tenant are running.',
    mend: 'Wait until one has ended, for at least the seconds in `Retry-After`.',
    example: { detail: 'Five rehearsals of the tenant are running. Wait until one has ended.' },
  },
  too_many_waiting: {
    status: 429,
    retry: true,
    title: 'Too many waiting requests',
    cause: 'Too many requests of the agency, or of all agencies, are held open and wait for events.',
    mend: 'Ask again after the seconds in `Retry-After`, without `wait`, or hold fewer requests at a time.',
    example: { detail: 'Ask again later, without `wait`, or let fewer requests wait at a time.' },
  },
} as const satisfies Record<string, ErrorEntry>;
