import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../../../typescript/src/index.ts';
import type { Tone } from '../../parts/tone.ts';
import { spelledOut, wordOf } from '../../parts/words/word-of.ts';
import { t } from '../../parts/words/t.ts';

/** The states of endpoints, deliveries and attempts, in words for people. */

type Said = readonly [Tone, string];

const HEALTH: Readonly<Record<WebhookEndpoint['health']['state'], Said>> = {
  healthy: ['good', t('Healthy')],
  degraded: ['warn', t('Sometimes fails')],
  open: ['bad', t('Failing: retried less often')],
  disabled: ['bad', t('Switched off')],
};

export const healthOf = ({
  status,
  health,
}: Pick<WebhookEndpoint, 'status'> & { health: Pick<WebhookEndpoint['health'], 'state'> }): Said => {
  if (status === 'paused') return ['warn', t('Paused')];
  if (status === 'disabled') return ['bad', t('Switched off')];
  return HEALTH[health.state];
};

const DELIVERIES: Readonly<Record<WebhookDelivery['status'], Said>> = {
  pending: ['info', t('Waiting')],
  delivered: ['good', t('Delivered')],
  failed: ['bad', t('Dead-lettered')],
  cancelled: ['quiet', t('Cancelled')],
};

export const deliveryIs = (status: WebhookDelivery['status']): Said => DELIVERIES[status];

const CLASSES: Readonly<Record<WebhookAttempt['class'], string>> = {
  delivered: t('The receiver accepted it'),
  redirect_not_followed: t('The receiver redirects to another URL, which the engine does not follow'),
  client_error: t('The receiver refused it'),
  not_ready: t('The receiver says that it is not ready'),
  gone: t('The receiver says that this URL is gone permanently'),
  throttled: t('The receiver asked for fewer requests'),
  server_error: t('The receiver failed'),
  gateway_error: t('A server in front of the receiver could not reach it'),
  timeout: t('The receiver did not respond in time'),
  dns_error: t('The host name of the URL was not found: check its spelling'),
  connection_refused: t('Nothing listens at this address'),
  connection_reset: t('The connection broke'),
  network_unreachable: t('There is no route to this address'),
  tls_error: t("The receiver's certificate is not valid"),
  invalid_response: t('The response is not valid HTTP'),
  network_error: t('The network failed'),
  blocked_address: t('The address is in a private network, where the engine sends no events'),
  insecure_url: t('The URL is not https'),
  engine_error: t('The engine itself failed. This attempt does not count'),
  secret_unreadable: t('The secret cannot be read: create a new secret for the endpoint'),
  released: t('Not attempted, because the engine was stopping'),
};

/** Returns the meaning of an attempt's class. */
export const classIs = (name: string | null): string => (name === null ? t('No attempt yet') : wordOf(CLASSES, name));

const DISABLED = {
  gone: t('The receiver says that this URL is gone permanently'),
  failing_for_days: t('It has failed for five days'),
  by_request: t('Someone paused it'),
};

/** Why an endpoint is paused or switched off. */
export const disabledIs = (reason: string): string => wordOf(DISABLED, reason);

const ACTIONS = {
  create: t('Created'),
  change: t('Changed'),
  pause: t('Paused'),
  resume: t('Resumed'),
  disabled: t('Switched off'),
  delete: t('Deleted'),
  rotate_secret: t('New secret'),
  resend: t('Event resent'),
  recover: t('Missed events resent'),
  replay: t('All events resent'),
  cancel: t('Delivery cancelled'),
};

/** Returns the action on an endpoint, in words. */
export const actionIs = (action: string): string =>
  Object.hasOwn(ACTIONS, action) ? wordOf(ACTIONS, action) : spelledOut(action);

export const ORDERINGS: Readonly<Record<WebhookEndpoint['ordering'], string>> = {
  conversation: t('In order within each conversation'),
  fifo: t('In order'),
  parallel: t('In any order'),
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
  return t('{0} % accepted', failed === 0 ? Math.round(share) : Math.floor(share * 10) / 10);
};
