// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { WebhookDelivery } from '../shared/answered-2.ts';
import type { WebhookDeliveriesListAnswer } from './answered.ts';
import type {
  WebhookDeliveriesCancelQuery,
  WebhookDeliveriesListQuery,
  WebhookDeliveriesReadQuery,
  WebhookDeliveriesResendQuery,
} from './given.ts';

export class WebhookDeliveriesCalls extends Resource {
  /** List deliveries */
  list(
    query: WebhookDeliveriesListQuery = {},
    options?: CallOptions,
  ): Listed<WebhookDeliveriesListAnswer, WebhookDelivery> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/webhooks/deliveries', query, takes: 'tenant' },
      (page) => page.deliveries,
      options,
    );
  }

  /** Read a delivery */
  read(id: string, query: WebhookDeliveriesReadQuery = {}, options?: CallOptions): Promise<WebhookDelivery> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/webhooks/deliveries/${id}`, query, takes: 'tenant' },
      options,
    );
  }

  /** Resend a delivery immediately */
  resend(id: string, query: WebhookDeliveriesResendQuery = {}, options?: CallOptions): Promise<WebhookDelivery> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/webhooks/deliveries/${id}/resend`, query, takes: 'agency', keyed: true },
      options,
    );
  }

  /** Cancel a waiting delivery */
  cancel(id: string, query: WebhookDeliveriesCancelQuery = {}, options?: CallOptions): Promise<WebhookDelivery> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/webhooks/deliveries/${id}/cancel`, query, takes: 'agency', once: true },
      options,
    );
  }
}
