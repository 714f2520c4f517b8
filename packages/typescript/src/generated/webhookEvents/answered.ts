// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { WebhookDelivery } from '../shared/answered-2.ts';

/** An event, without its deliveries. */
export interface WebhookEvent {
  /** The id of an event. */
  id: string;
  /** The event type, as in `event` of the body. */
  type:
    | 'message'
    | 'message.ack'
    | 'message.media'
    | 'message.any'
    | 'message.updated'
    | 'message.deleted'
    | 'message.edited'
    | 'message.revoked'
    | 'message.reaction'
    | 'message.vote'
    | 'call.updated'
    | 'session.status'
    | 'session.restricted'
    | 'session.quota'
    | 'session.silent'
    | 'session.recovered'
    | 'sync.progress'
    | 'conversation.assigned'
    | 'conversation.released'
    | 'conversation.labelled'
    | 'conversation.updated'
    | 'contact.updated'
    | 'contact.merged'
    | 'contact.unmerged'
    | 'contact.erased'
    | 'group.updated'
    | 'automation.started'
    | 'automation.completed'
    | 'automation.failed'
    | 'endpoint.failing'
    | 'endpoint.disabled'
    | 'endpoint.recovered'
    | 'endpoint.test';
  /** The tenant that the event belongs to. Null for events about an endpoint. */
  tenantId: string | null;
  /** The session of the event. Null for events about an endpoint. */
  sessionId: string | null;
  /** The conversation of the event. Null if it has none. */
  conversationId: string | null;
  /** As in the event's `metadata`. */
  sequence: number;
  /** When the event was written. */
  createdAt: string;
  /** True if `test` made it, for one endpoint. */
  test: boolean;
  /** The exact bytes that every endpoint is sent. In the list only with `after`. */
  body?: string;
}

/** An event and its deliveries. */
export interface WebhookEventDetail {
  /** The id of an event. */
  id: string;
  /** The event type, as in `event` of the body. */
  type:
    | 'message'
    | 'message.ack'
    | 'message.media'
    | 'message.any'
    | 'message.updated'
    | 'message.deleted'
    | 'message.edited'
    | 'message.revoked'
    | 'message.reaction'
    | 'message.vote'
    | 'call.updated'
    | 'session.status'
    | 'session.restricted'
    | 'session.quota'
    | 'session.silent'
    | 'session.recovered'
    | 'sync.progress'
    | 'conversation.assigned'
    | 'conversation.released'
    | 'conversation.labelled'
    | 'conversation.updated'
    | 'contact.updated'
    | 'contact.merged'
    | 'contact.unmerged'
    | 'contact.erased'
    | 'group.updated'
    | 'automation.started'
    | 'automation.completed'
    | 'automation.failed'
    | 'endpoint.failing'
    | 'endpoint.disabled'
    | 'endpoint.recovered'
    | 'endpoint.test';
  /** The tenant that the event belongs to. Null for events about an endpoint. */
  tenantId: string | null;
  /** The session of the event. Null for events about an endpoint. */
  sessionId: string | null;
  /** The conversation of the event. Null if it has none. */
  conversationId: string | null;
  /** As in the event's `metadata`. */
  sequence: number;
  /** When the event was written. */
  createdAt: string;
  /** True if `test` made it, for one endpoint. */
  test: boolean;
  /** The exact bytes that every endpoint is sent. In the list only with `after`. */
  body?: string;
  /** The deliveries of the event, up to 200. */
  deliveries: WebhookDelivery[];
}

export interface WebhookEventsListAnswer {
  /** The events on this page. */
  events: WebhookEvent[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface WebhookEventsResendAnswer {
  /** The id of an event. */
  eventId: string;
  /** The endpoint for the repeated event. */
  deliveries: {
    /** The id of a webhook endpoint. */
    endpointId: string;
    /** The delivery's number. */
    deliveryId: string;
  }[];
}

export type WebhookEventsReadPayloadAnswer = Record<string, unknown>;
