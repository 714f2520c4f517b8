import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../../../typescript/src/index.ts';
import type { Tone } from '../../parts/tone.ts';
import { spelledOut, wordOf } from '../../parts/words/word-of.ts';

/** How endpoints, deliveries and attempts stand, in words for a person. */

type Said = readonly [Tone, string];

const HEALTH: Readonly<Record<WebhookEndpoint['health']['state'], Said>> = {
  healthy: ['good', 'Healthy'],
  degraded: ['warn', 'Sometimes fails'],
  open: ['bad', 'Failing: retried less often'],
  disabled: ['bad', 'Switched off'],
};

export const healthOf = ({
  status,
  health,
}: Pick<WebhookEndpoint, 'status'> & { health: Pick<WebhookEndpoint['health'], 'state'> }): Said => {
  if (status === 'paused') return ['warn', 'Paused'];
  if (status === 'disabled') return ['bad', 'Switched off'];
  return HEALTH[health.state];
};

const DELIVERIES: Readonly<Record<WebhookDelivery['status'], Said>> = {
  pending: ['info', 'Waiting'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Given up'],
  cancelled: ['quiet', 'Cancelled'],
};

export const deliveryIs = (status: WebhookDelivery['status']): Said => DELIVERIES[status];

const CLASSES: Readonly<Record<WebhookAttempt['class'], string>> = {
  delivered: 'The receiver accepted it',
  redirect_not_followed: 'The receiver redirects to another URL, which the engine does not follow',
  client_error: 'The receiver refused it',
  not_ready: 'The receiver says that it is not ready',
  gone: 'The receiver says that this URL is gone permanently',
  throttled: 'The receiver asked for fewer requests',
  server_error: 'The receiver failed',
  gateway_error: 'A server in front of the receiver could not reach it',
  timeout: 'The receiver did not respond in time',
  dns_error: 'The host name of the URL was not found: check its spelling',
  connection_refused: 'Nothing listens at this address',
  connection_reset: 'The connection broke',
  network_unreachable: 'There is no route to this address',
  tls_error: "The receiver's certificate is not valid",
  invalid_response: 'The response is not valid HTTP',
  network_error: 'The network failed',
  blocked_address: 'The address is in a private network, where the engine sends no events',
  insecure_url: 'The URL is not https',
  engine_error: 'The engine itself failed. This attempt does not count',
  secret_unreadable: 'The secret cannot be read: create a new secret for the endpoint',
  released: 'Not attempted, because the engine was stopping',
};

/** What an attempt's class means. */
export const classIs = (name: string | null): string => (name === null ? 'No attempt yet' : wordOf(CLASSES, name));

const DISABLED = {
  gone: 'The receiver says that this URL is gone permanently',
  failing_for_days: 'It has failed for five days',
  by_request: 'Someone paused it',
};

/** Why an endpoint is paused or switched off. */
export const disabledIs = (reason: string): string => wordOf(DISABLED, reason);

const ACTIONS = {
  create: 'Created',
  change: 'Changed',
  pause: 'Paused',
  resume: 'Resumed',
  disabled: 'Switched off',
  delete: 'Deleted',
  rotate_secret: 'New secret',
  resend: 'Event resent',
  recover: 'Missed events resent',
  replay: 'All events resent',
  cancel: 'Delivery cancelled',
};

/** What was done with an endpoint. */
export const actionIs = (action: string): string =>
  Object.hasOwn(ACTIONS, action) ? wordOf(ACTIONS, action) : spelledOut(action);

export const ORDERINGS: Readonly<Record<WebhookEndpoint['ordering'], string>> = {
  conversation: 'In order within each conversation',
  fifo: 'In order',
  parallel: 'In any order',
};

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

/** The classes of attempts, for a choice. */
export const CLASS_NAMES = Object.keys(CLASSES);

/** The share of attempts that an endpoint accepted; rounded down, so that one failure never reads as none. */
export const successText = ({ delivered, failed }: { delivered: number; failed: number }): string => {
  const share = (delivered / Math.max(delivered + failed, 1)) * 100;
  return `${failed === 0 ? Math.round(share) : Math.floor(share * 10) / 10} % accepted`;
};
