import type { Tone } from '../../parts/tone.ts';

/** How endpoints, deliveries and attempts stand, in words for a person. */

type Said = readonly [Tone, string];

const HEALTH: Readonly<Record<string, Said>> = {
  healthy: ['good', 'Healthy'],
  degraded: ['warn', 'Sometimes fails'],
  open: ['bad', 'Failing: tried seldom'],
  disabled: ['bad', 'Switched off'],
};

export const healthOf = ({ status, health }: { status: string; health: { state: string } }): Said => {
  if (status === 'paused') return ['warn', 'Paused'];
  if (status === 'disabled') return ['bad', 'Switched off'];
  return HEALTH[health.state] ?? ['quiet', health.state];
};

const DELIVERIES: Readonly<Record<string, Said>> = {
  pending: ['info', 'Waiting'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Given up'],
  cancelled: ['quiet', 'Cancelled'],
};

export const deliveryIs = (status: string): Said => DELIVERIES[status] ?? ['quiet', status];

const CLASSES: Readonly<Record<string, string>> = {
  delivered: 'Taken by the receiver',
  redirect_not_followed: 'The receiver sent us to another address, which is not followed',
  client_error: 'The receiver refused it',
  not_ready: 'The receiver says that it is not ready',
  gone: 'The receiver says that this address is gone for good',
  throttled: 'The receiver asked us to slow down',
  server_error: 'The receiver failed',
  gateway_error: 'What stands before the receiver could not reach it',
  timeout: 'The receiver did not answer in time',
  dns_error: "The name in the address is not known: check the address's spelling",
  connection_refused: 'Nothing listens at this address',
  connection_reset: 'The connection broke',
  network_unreachable: 'There is no way to this address',
  tls_error: "The receiver's certificate is not valid",
  invalid_response: 'The answer could not be understood',
  network_error: 'The network failed',
  blocked_address: 'The address is in a private network, where the engine does not post',
  insecure_url: 'The address is not https',
  engine_error: 'The engine itself failed',
  secret_unreadable: 'The secret cannot be read: give the endpoint a new one',
  released: 'Given back, because the engine was stopping',
};

/** What an attempt's class means. */
export const classIs = (name: string | null): string => (name === null ? 'Not tried yet' : (CLASSES[name] ?? name));

/** The body of an event as people read it; what is no JSON stays as it is. */
export const readable = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

/** From the event to the receiver's answer, of what was delivered. */
export const lagsOf = (deliveries: readonly { status: string; eventAt: string; endedAt: string | null }[]): number[] =>
  deliveries.flatMap(({ status, eventAt, endedAt }) =>
    status === 'delivered' && endedAt !== null ? [Math.max(Date.parse(endedAt) - Date.parse(eventAt), 0)] : [],
  );
