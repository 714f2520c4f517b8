// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  WebhookEvent,
  WebhookEventDetail,
  WebhookEventsListAnswer,
  WebhookEventsReadPayloadAnswer,
  WebhookEventsResendAnswer,
} from './answered.ts';
import type {
  ResendWebhookEvent,
  WebhookEventsListQuery,
  WebhookEventsReadPayloadQuery,
  WebhookEventsReadQuery,
} from './given.ts';

export class WebhookEventsCalls extends Resource {
  /** List events, or pull them after a cursor */
  list(query: WebhookEventsListQuery = {}, options?: CallOptions): Listed<WebhookEventsListAnswer, WebhookEvent> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/webhooks/events', query, takes: 'tenant' },
      (page) => page.events,
      options,
    );
  }

  /** Read an event, its body and its deliveries */
  read(id: string, query: WebhookEventsReadQuery = {}, options?: CallOptions): Promise<WebhookEventDetail> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/webhooks/events/${id}`, query, takes: 'tenant' },
      options,
    );
  }

  /** Resend an event immediately */
  resend(id: string, body: ResendWebhookEvent = {}, options?: CallOptions): Promise<WebhookEventsResendAnswer> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/webhooks/events/${id}/resend`, body, takes: 'agency', keyed: true },
      options,
    );
  }

  /** Read the payload of a large event */
  readPayload(
    eventId: string,
    query: WebhookEventsReadPayloadQuery,
    options?: CallOptions,
  ): Promise<WebhookEventsReadPayloadAnswer> {
    return this.caller.call({ method: 'GET', path: path`/api/v1/webhooks/payloads/${eventId}`, query }, options);
  }
}
