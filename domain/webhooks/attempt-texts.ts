import type { AttemptClass } from './retry.ts';

/** What each class of attempts says, for the document. */
export const ATTEMPT_CLASS_TEXTS: Readonly<Record<AttemptClass, string>> = {
  delivered: 'The endpoint answered 2xx.',
  redirect_not_followed: 'It answered 3xx. Events are not sent on: set the URL that it redirects to.',
  client_error: 'It answered 4xx: its handler refuses the event.',
  not_ready: 'It answered 408 or 425: not ready for the request yet.',
  gone: 'It answered 410: it wants no more events, and is disabled.',
  throttled: 'It answered 429: it gets fewer requests for a while.',
  server_error: 'It answered 5xx: its handler failed.',
  gateway_error: 'It answered 502 or 504: something in front of it cannot reach it.',
  timeout: 'It did not answer within its timeout.',
  dns_error: 'Its host name cannot be resolved.',
  connection_refused: 'Nothing listens at its address and port.',
  connection_reset: 'The connection was closed before an answer.',
  network_unreachable: 'There is no way to its address.',
  tls_error: 'Its certificate cannot be trusted, or TLS failed.',
  invalid_response: 'What it answered is not HTTP.',
  network_error: 'The network failed in another way.',
  blocked_address: 'Its address is private or reserved, and the engine does not connect to those.',
  insecure_url: 'Its URL is http, and events go to public addresses by https only.',
  engine_error: 'The engine itself lacked something. The attempt does not count.',
  secret_unreadable: 'The secret was sealed with another key of the engine. The attempt does not count.',
  released: 'The engine gave the delivery back without an attempt. It does not count.',
};
