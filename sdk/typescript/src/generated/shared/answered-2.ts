// Made from openapi.json by `npm run client`: change the routes, not this file.

/** How the endpoint does. */
export interface WebhookEndpointHealth {
  /** `degraded`: attempts fail. `open`: they failed so often that only a probe goes out now and then. */
  state: 'healthy' | 'degraded' | 'open' | 'disabled';
  /** When it began to fail. Null while it does well. */
  failingSince: string | null;
  /** The class of the last failed attempt, as the list of attempts names it. Null while it does well. */
  lastError: string | null;
  /** Attempts that failed since the last one that did not. */
  consecutiveFailures: number;
  /** Events that wait for it, counted up to 10,000, in lists up to 1,000. */
  pending: number;
  /** When the next attempt is due. Null where nothing waits. */
  nextAttemptAt: string | null;
}

/** An endpoint, and how it does. */
export interface WebhookEndpoint {
  /** The id of a webhook endpoint. */
  id: string;
  /** Where events are posted: https, or http in development, 2,048 characters at most, without a user name or password. */
  url: string;
  /** What it is for, in 500 characters at most; for people. */
  description: string | null;
  /** The types of events that it gets. */
  events: string[];
  /** Whose events it gets; null is every tenant of the agency, and events of endpoints. */
  tenantIds: string[] | null;
  /** `conversation`: an event waits until the one before it of its conversation has arrived. `fifo`: all wait for one another. `parallel`: none waits. */
  ordering: 'conversation' | 'parallel' | 'fifo';
  /** Attempts a second; null is no limit. */
  ratePerSecond: number | null;
  /** Requests at a time; 10 when left out, one with `fifo`. */
  concurrency: number;
  /** From the first byte sent to the last received. */
  timeoutMs: number;
  /** The pause before each attempt, from the fourth on at least a second; null is the engine's, twelve attempts in three days. */
  retryLadderMs: number[] | null;
  /** The session whose events alone it gets. Null is every session of its tenants. */
  sessionId: string | null;
  /** Their values are not shown again. */
  headers: Record<string, string>;
  /** Whether events go out. */
  status: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  disabledReason: string | null;
  /** How the endpoint does. */
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
  /** Whose event it is. Null for events about an endpoint. */
  tenantId: string | null;
  /** Where it stands. */
  status: 'pending' | 'delivered' | 'failed' | 'cancelled';
  /** How many attempts count so far. */
  attempts: number;
  /** When it was first posted. Null before. */
  firstAttemptAt: string | null;
  /** Null also while an earlier event of its lane is not over. */
  nextAttemptAt: string | null;
  /** When it was delivered, failed or was cancelled. Null before. */
  endedAt: string | null;
  /** How the last attempt ended, as the list of attempts names it. Null before. */
  lastClass: string | null;
  /** The HTTP status of the last attempt, where there was one. */
  lastStatus: number | null;
  /** Later events of its lane do not wait for it. */
  outOfOrder: boolean;
  /** When the event was written. */
  eventAt: string;
}

/** An event of the messaging backend that could not be applied. */
export interface ParkedEvent {
  /** Its number, for the route that applies it. */
  id: string;
  /** As the backend calls it; empty where the event could not be read. */
  sessionName: string;
  /** `parked` waits for an operator; `applied` has been applied after all; `ignored` is of no session of this engine. */
  status: 'parked' | 'applied' | 'ignored';
  /** How often it was tried to apply it. */
  attempts: number;
  /** Why the last attempt failed; `NeverApplied` where there was none before its time was over. */
  error: string | null;
  /** Of its body, which is kept in `parked_event`. */
  sizeBytes: number;
  /** When the backend posted it. */
  receivedAt: string;
  /** When it was put aside. */
  parkedAt: string;
  /** When it was applied or ignored. Null while it waits. */
  endedAt: string | null;
}

/** Why it was not sent, or may not have been. */
export interface MessageErrorOutput {
  /** The machine word for the reason. */
  code:
    | 'expired'
    | 'taken_over'
    | 'ai_paused'
    | 'opted_out'
    | 'automations_stopped'
    | 'not_on_network'
    | 'restricted'
    | 'backend_refused'
    | 'network_error'
    | 'outcome_unknown'
    | 'cancelled_by_request'
    | 'text_failed'
    | 'media_unavailable'
    | 'media_too_large'
    | 'media_type_refused'
    | 'resolved_by_operator'
    | 'session_deleted'
    | 'imported';
  /** A sentence for people: what the code means, with what is known of this message. */
  message: string | null;
}

/** The option of a message with buttons or a list that a contact has chosen. */
export interface SelectedOutput {
  /** The `id` of the button, or the `rowId` of the row. */
  id: string;
  /** What was written on it. */
  text: string;
  /** The message that offered it. Null where that is not known. */
  messageId: string | null;
}

/** A place that a message shows. */
export interface LocationOutput {
  /** The latitude in degrees. */
  latitude: number;
  /** The longitude in degrees. */
  longitude: number;
  /** The name of the place. Null where none was given. */
  name: string | null;
  /** The address of the place. Null where none was given. */
  address: string | null;
  /** A page about the place. Null where none was given. */
  url: string | null;
  /** True for a location that the sender shares while moving: this is where the sharing began, and the network shows its way on phones only. */
  live: boolean;
}

/** A contact card that a message carries. */
export interface ContactCardOutput {
  /** The name on the card. Null where it has none. */
  name: string | null;
  /** The organization on the card. Null where it has none. */
  organization: string | null;
  /** The phone numbers on the card. */
  phones: {
    /** The number as the card writes it. */
    number: string;
    /** The digits under which the network knows the person. Null where the card does not say. */
    phone: string | null;
  }[];
  /** The e-mail addresses on the card. */
  emails: string[];
  /** The card itself as a vCard, without pictures. */
  vcard: string;
}

/** A poll with what is known of its votes. */
export interface PollOutput {
  /** What is asked. */
  name: string;
  /** The options in their order. */
  options: {
    /** What can be chosen. */
    text: string;
    /** How many have chosen it, by what is known. */
    votes: number;
  }[];
  /** True where more than one option may be chosen. */
  multipleAnswers: boolean;
  /** The latest vote of each voter, the newest 100 of them. */
  votes: {
    /** True where the account itself did it. */
    fromMe: boolean;
    /** Who else did: digits of a phone number, else a chat id. Null for the account, and where nobody says. */
    from: string | null;
    /** The contact who voted. Null where that is not known. */
    contactId: string | null;
    /** What was chosen. Null where the backend could not read the vote. */
    options: string[] | null;
    /** When it was chosen. */
    at: string;
  }[];
  /** How many more have voted than are listed; the options count them, too. Missing where all are listed. */
  moreVotes?: number;
}

/** A call that has reached the account. */
export interface CallOutput {
  /** How far it has come. */
  status: 'received' | 'rejected' | 'accepted';
  /** True for a video call. */
  isVideo: boolean;
  /** True for a call to a group. */
  isGroup: boolean;
}

/** What the network itself has put into a chat. */
export interface NoticeOutput {
  /** What it says. */
  type: 'group' | 'message_pinned' | 'call_log' | 'encryption' | 'system';
  /** What has become of the group. Missing for other notices. */
  group?: {
    /** What is other than before, as `group.updated` names it. */
    changed: string[];
    /** The group's name then. Null where it was not known. */
    name: string | null;
    /** The others who came or went, or have another role. */
    participants: {
      /** The address under which the network shows them in the group. */
      chatId: string;
      /** What is other than before, as `group.updated` names it. */
      change: string;
    }[];
  };
}

/** A label of the account, by which its chats are sorted. */
export interface LabelOutput {
  /** The network's id of a label. */
  id: string;
  /** Its name. Null where the network has not told it. */
  name: string | null;
  /** The number of its colour. Null where the network tells none. */
  color: number | null;
  /** Its colour, such as `#64c4ff`. Null where the network tells none. */
  colorHex: string | null;
}
