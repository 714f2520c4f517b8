// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { WebhookDelivery } from '../shared/answered-2.ts';

/** An event, without what became of it. */
export interface WebhookEvent {
  /** The id of an event. */
  id: string;
  /** What has happened, as `event` of the body says it. */
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
  /** Whose it is. Null for events about an endpoint. */
  tenantId: string | null;
  /** The session of it. Null for events about an endpoint. */
  sessionId: string | null;
  /** The conversation of it. Null where it is about none. */
  conversationId: string | null;
  /** As in the event's `metadata`. */
  sequence: number;
  /** When it was written. */
  createdAt: string;
  /** Made by `test`, for one endpoint. */
  test: boolean;
  /** The exact bytes that every endpoint is sent. In the list only with `after`. Of an event that is not kept any more, there is none. */
  body?: string;
}

/** An event, and what became of it. */
export interface WebhookEventDetail {
  /** The id of an event. */
  id: string;
  /** What has happened, as `event` of the body says it. */
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
  /** Whose it is. Null for events about an endpoint. */
  tenantId: string | null;
  /** The session of it. Null for events about an endpoint. */
  sessionId: string | null;
  /** The conversation of it. Null where it is about none. */
  conversationId: string | null;
  /** As in the event's `metadata`. */
  sequence: number;
  /** When it was written. */
  createdAt: string;
  /** Made by `test`, for one endpoint. */
  test: boolean;
  /** The exact bytes that every endpoint is sent. In the list only with `after`. Of an event that is not kept any more, there is none. */
  body?: string;
  /** What became of it at each endpoint, 200 at most. */
  deliveries: WebhookDelivery[];
}

export interface WebhookEventsListAnswer {
  /** The events of this page. */
  events: WebhookEvent[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}

export interface WebhookEventsResendAnswer {
  /** The id of an event. */
  eventId: string;
  /** Where it goes again. */
  deliveries: {
    /** The id of a webhook endpoint. */
    endpointId: string;
    /** The delivery, by its number. */
    deliveryId: string;
  }[];
}

export type WebhookEventsReadPayloadAnswer = Record<string, unknown>;
