import type { AttemptClass } from './retry.ts';

/** What each class of attempts says, for the document. */
export const ATTEMPT_CLASS_TEXTS: Readonly<Record<AttemptClass, string>> = {
  delivered: 'The endpoint returned 2xx.',
  redirect_not_followed: 'It returned 3xx. Redirects are not followed: set the URL that it redirects to.',
  client_error: 'It returned 4xx: its handler refuses the event.',
  not_ready: 'It returned 408 or 425: it is not ready for the request yet.',
  gone: 'It returned 410: it wants no more events and is disabled.',
  throttled: 'It returned 429: it gets fewer requests for a while.',
  server_error: 'It returned 5xx: its handler failed.',
  gateway_error: 'It returned 502 or 504: something in front of it cannot reach it.',
  timeout: 'It did not respond within its timeout.',
  dns_error: 'Its host name cannot be resolved.',
  connection_refused: 'Nothing listens at its address and port.',
  connection_reset: 'The connection was closed before a response.',
  network_unreachable: 'There is no route to its address.',
  tls_error: 'Its certificate cannot be trusted, or TLS failed.',
  invalid_response: 'Its response is not HTTP.',
  network_error: 'The network failed in another way.',
  blocked_address: 'Its address is private or reserved, and the engine does not connect to such addresses.',
  insecure_url: 'Its URL is http, and events go to public addresses only over https.',
  engine_error: 'The engine itself was missing something. The attempt does not count.',
  secret_unreadable: 'The secret was sealed with another key of the engine. The attempt does not count.',
  released: 'The engine gave the delivery back without an attempt. It does not count.',
};
