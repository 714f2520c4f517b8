// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A session and its status. */
export interface SessionStatus {
  /** The status of the session. */
  status:
    | 'STOPPED'
    | 'STARTING'
    | 'SCAN_QR_CODE'
    | 'PASSKEY_REQUIRED'
    | 'PASSKEY_CONFIRMATION_REQUIRED'
    | 'WORKING'
    | 'FAILED';
  /** The account's phone number, in digits. Null before an account is connected. */
  phone: string | null;
  /** The name that the account shows to others. */
  accountName: string | null;
  /** The backend's engine behind the session: `NOWEB`, `GOWS` or `WEBJS`. Null until it has started. */
  platform: string | null;
  /** The id of a session. */
  id: string;
  /** The session's name at the backend. */
  name: string;
  /** The messaging backend that holds it: `default`, unless the operator runs several. */
  backend: string;
  /** The agency of its tenant. */
  agencyId: string;
  /** The tenant that it belongs to. */
  tenantId: string;
  /** True if the tenant uses it when a request names no session. */
  default: boolean;
  /** The requested state. */
  wanted: 'running' | 'stopped' | 'logged_out' | 'deleted';
  /** A requested action that is not done yet: sends in progress end first, and an unavailable backend is waited for. Until then nothing else is sent, unless the session is only to be started. */
  pending: 'start' | 'stop' | 'restart' | 'logout' | 'relogin' | 'delete' | null;
  /** Since when it has this status. */
  statusChangedAt: string;
  /** Since when nothing was heard of a session that reports that it works and should have reported something. The engine fetches what it has missed and restarts the session. */
  silentSince: string | null;
  /** Why the session is not connected, kept until it works. The value shows whether to create, fix, start or log out the session. */
  lastError: string | null;
}

/** The health of the endpoint. */
export interface WebhookEndpointHealth {
  /** `degraded`: attempts fail. `open`: attempts failed so often that only an occasional probe is sent. */
  state: 'healthy' | 'degraded' | 'open' | 'disabled';
  /** When it began to fail. Null while it is healthy. */
  failingSince: string | null;
  /** The class of the last failed attempt, as in the list of attempts. Null while it is healthy. */
  lastError: string | null;
  /** Failed attempts since the last attempt that did not fail. */
  consecutiveFailures: number;
  /** Events that wait for it, counted up to 10,000, in lists up to 1,000. */
  pending: number;
  /** When the next attempt is made: now at the earliest, and the probe while the state is `open`. Null if nothing waits, or the endpoint gets no attempts. */
  nextAttemptAt: string | null;
}

/** An endpoint and its health. */
export interface WebhookEndpoint {
  /** The id of a webhook endpoint. */
  id: string;
  /** The address that receives events: https, or http in development. At most 2,048 characters, without a user name or password. */
  url: string;
  /** A note for people about what the endpoint is for, up to 500 characters. */
  description: string | null;
  /** The event types that it gets. */
  events: string[];
  /** The tenants whose events it receives. Null means every tenant of the agency, and events about endpoints. */
  tenantIds: string[] | null;
  /** `conversation`: an event waits until the previous event of its conversation has arrived. `fifo`: each event waits for the previous one. */
  ordering: 'conversation' | 'parallel' | 'fifo';
  /** Attempts per second. Null means no limit. */
  ratePerSecond: number | null;
  /** Requests at a time. If omitted, 10. With `fifo`, always one. */
  concurrency: number;
  /** The time limit from the first byte sent to the last byte received. */
  timeoutMs: number;
  /** The pause before each attempt; from the fourth attempt on, at least one second. Null means the engine's own ladder: twelve attempts in three days. */
  retryLadderMs: number[] | null;
  /** The only session whose events it gets. Null means every session of its tenants. */
  sessionId: string | null;
  /** The values are not shown again. */
  headers: Record<string, string>;
  /** Whether events are sent. */
  status: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  disabledReason: string | null;
  /** The health of the endpoint. */
  health: WebhookEndpointHealth;
  /** `dashboard`: the agency's dashboardUrl. `tenant`: the webhookUrl of a tenant's settings. */
  source: 'dashboard' | 'tenant' | 'api';
  /** When it was created. */
  createdAt: string;
}

/** One event for one endpoint. */
export interface WebhookDelivery {
  /** The number of the delivery. */
  id: string;
  /** The id of a webhook endpoint. */
  endpointId: string;
  /** The id of an event. */
  eventId: string;
  /** The type of the event. Null if the event is no longer kept. */
  eventType:
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
    | 'endpoint.test'
    | null;
  /** The conversation of the event. Null if it has none, and for people who came by a link to one endpoint. */
  conversation: {
    /** The id of a conversation. */
    id: string;
    /** The name or the number, as in the inbox. */
    name: string;
  } | null;
  /** The tenant that the event belongs to. Null for events about an endpoint. */
  tenantId: string | null;
  /** The status of the delivery. */
  status: 'pending' | 'delivered' | 'failed' | 'cancelled';
  /** The number of attempts that count so far. */
  attempts: number;
  /** When it was first posted. Null before that. */
  firstAttemptAt: string | null;
  /** When the next attempt is made: now at the earliest. Null while an earlier event of its lane is not finished, and while the endpoint gets no attempts. */
  nextAttemptAt: string | null;
  /** When it was delivered, failed or was cancelled. Null before that. */
  endedAt: string | null;
  /** How the last attempt ended, as in the list of attempts. Null before that. */
  lastClass: string | null;
  /** The HTTP status of the last attempt, if there was one. */
  lastStatus: number | null;
  /** True if later events of its lane do not wait for it. */
  outOfOrder: boolean;
  /** When the event was written. */
  eventAt: string;
}

/** An event of the messaging backend that could not be applied. */
export interface ParkedEvent {
  /** Its number, for the route that applies it. */
  id: string;
  /** The backend's name for it; empty if the event could not be read. */
  sessionName: string;
  /** `parked` waits for an operator; `applied` was applied later; `ignored` belongs to no session of this engine. */
  status: 'parked' | 'applied' | 'ignored';
  /** How many times the engine tried to apply it. */
  attempts: number;
  /** Why the last attempt failed; `NeverApplied` if there was no attempt before its time was over. */
  error: string | null;
  /** The size of its body, which is kept in `parked_event`. */
  sizeBytes: number;
  /** When the backend posted it. */
  receivedAt: string;
  /** When it was parked. */
  parkedAt: string;
  /** When it was applied or ignored. Null while it waits. */
  endedAt: string | null;
}

/** Why it was not sent, or may not have been sent. */
export interface MessageErrorOutput {
  /** The machine word for the reason. */
  code:
    | 'expired'
    | 'taken_over'
    | 'no_longer_so'
    | 'ai_paused'
    | 'opted_out'
    | 'automations_stopped'
    | 'not_on_network'
    | 'restricted'
    | 'recipient_refused'
    | 'backend_refused'
    | 'network_error'
    | 'outcome_unknown'
    | 'cancelled_by_request'
    | 'text_failed'
    | 'media_unavailable'
    | 'media_too_large'
    | 'media_type_refused'
    | 'media_storage_full'
    | 'resolved_by_operator'
    | 'session_deleted'
    | 'imported';
  /** A readable sentence: what the code means, with what is known about this message. */
  message: string | null;
}

/** The option that a contact chose in a message with buttons or a list. */
export interface SelectedOutput {
  /** The `id` of the button, or the `rowId` of the row. */
  id: string;
  /** The text of the option. */
  text: string;
  /** The message that offered it. Null if that is not known. */
  messageId: string | null;
}

/** A place that a message shows. */
export interface LocationOutput {
  /** The latitude in degrees. */
  latitude: number;
  /** The longitude in degrees. */
  longitude: number;
  /** The name of the place. Null if none was given. */
  name: string | null;
  /** The address of the place. Null if none was given. */
  address: string | null;
  /** A page about the place. Null if none was given. */
  url: string | null;
  /** True for a live location: the position is that of its beginning. The network shows the movement only on phones. */
  live: boolean;
}

/** A contact card that a message carries. */
export interface ContactCardOutput {
  /** The name on the card. Null if it has none. */
  name: string | null;
  /** The organization on the card. Null if it has none. */
  organization: string | null;
  /** The phone numbers on the card. */
  phones: {
    /** The number as written on the card. */
    number: string;
    /** The digits under which the network knows the person. Null if the card does not say. */
    phone: string | null;
  }[];
  /** The e-mail addresses on the card. */
  emails: string[];
  /** The card itself as a vCard, without pictures. */
  vcard: string;
}
