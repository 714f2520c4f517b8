// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The data of a frame about an event. Its name (`event`) is the type. */
export interface StreamedEvent {
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
}

/** The data of the frame `ready`: all that was there before has come. */
export interface StreamReady {
  /** The `id` of the frame, from which a pull may go on, too. */
  cursor: string;
}

/** The data of the frame `end`, the last one. */
export interface StreamEnd {
  /** Why the stream ends. */
  reason:
    | 'stopping'
    | 'unauthorized'
    | 'forbidden'
    | 'dashboard_suspended'
    | 'cursor_expired'
    | 'cursor_invalid'
    | 'internal';
}
