// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An error, as application/problem+json (RFC 9457). */
export interface Problem {
  /** The address of a page that explains the code: cause, example and what to do. */
  type: string;
  /** The name of the error in English. It may be reworded: branch on `code`. */
  title: string;
  /** The HTTP status of the answer. */
  status: number;
  /** The machine word for the error. It never changes its meaning; `x-error-codes` of an operation lists its own. */
  code:
    | 'invalid_request'
    | 'recipient_required'
    | 'content_required'
    | 'invalid_recipient'
    | 'bad_request_target'
    | 'malformed_json'
    | 'not_found'
    | 'unknown_route'
    | 'method_not_allowed'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'idempotency_key_reused'
    | 'ambiguous_credentials'
    | 'unauthorized'
    | 'ticket_invalid'
    | 'cross_site_refused'
    | 'invalid_signature'
    | 'dashboard_suspended'
    | 'forbidden'
    | 'last_key'
    | 'too_many_failed_keys'
    | 'rate_limited'
    | 'too_many_rehearsals'
    | 'too_many_waiting'
    | 'already_registered'
    | 'no_previous_key'
    | 'name_taken'
    | 'session_not_ready'
    | 'idempotency_in_progress'
    | 'automation_off'
    | 'message_on_its_way'
    | 'message_ended'
    | 'message_not_sent'
    | 'message_not_own'
    | 'message_not_editable'
    | 'message_revoked'
    | 'message_too_old'
    | 'message_not_ended'
    | 'message_not_uncertain'
    | 'message_resent'
    | 'message_was_sent'
    | 'contact_not_merged'
    | 'contact_merged_on'
    | 'tenant_limit'
    | 'endpoint_limit'
    | 'endpoint_managed'
    | 'delivery_in_flight'
    | 'delivery_ended'
    | 'file_gone'
    | 'export_not_ready'
    | 'export_gone'
    | 'erased'
    | 'event_expired'
    | 'cursor_expired'
    | 'cursor_invalid'
    | 'no_session'
    | 'automations_stopped'
    | 'execution_running'
    | 'execution_ended'
    | 'budget_spent'
    | 'label_unknown'
    | 'endpoint_unusable'
    | 'calls_full'
    | 'webhook_failed'
    | 'webhook_refused'
    | 'answer_unfit'
    | 'automation_failed'
    | 'internal'
    | 'model_failed'
    | 'model_unavailable'
    | 'media_unavailable'
    | 'backend_error'
    | 'not_supported_by_engine'
    | 'backend_unavailable'
    | 'backend_unreachable'
    | 'backend_timeout'
    | 'busy'
    | 'unavailable';
  /** What is wrong with this request and what to do next, for a person. */
  detail: string;
  /** The fields that are wrong, all at once. Missing where no field is to blame. */
  errors?: {
    /** JSON pointer into the body, or query/<name>, path/<name>, header/<name>. */
    pointer: string;
    /** What is wrong with the field, as the end of a sentence about it. */
    message: string;
  }[];
  /** More than the code says, as a word: of `file_gone` why the file is gone, as `media.error` without `media_`. Missing for other codes. */
  reason?: string;
  /** The id of this HTTP request, as in the header X-Request-Id. Quote it to the operator: the log has it. */
  requestId: string;
}

/** When a message that waits is likely to go out, and what decides it. */
export interface Plan {
  /** An estimate: when the message is likely to go out. Null where nobody knows. */
  sendAt: string | null;
  /** What decides when it goes out. */
  rule:
    | 'now'
    | 'scheduled'
    | 'queue'
    | 'pace'
    | 'first_contacts'
    | 'quiet_hours'
    | 'restricted'
    | 'session_not_working'
    | 'suspended';
  /** The message is likely to expire first: it needs a later `expiresAt`. */
  expiresBefore?: true;
}

/** A person as one account knows them. */
export interface Contact {
  /** The id of a contact. */
  contactId: string;
  /** The address at which messages reach the person: the phone number where it is known. */
  chatId: string;
  /** The phone number, in digits with its country code. Null where only a hidden id is known. */
  phone: string | null;
  /** The hidden id. Null where none is known. */
  lid: string | null;
  /** The name in the account's address book. Null where it has none. */
  name: string | null;
  /** The name that the person shows to others. Null until told. */
  pushName: string | null;
  /** Whether the account has blocked the person. */
  isBlocked: boolean;
  /** Whether the person wants no more messages; then only what a request calls transactional goes out. */
  isOptedOut: boolean;
  /** Whether the person is in the account's address book. */
  isMyContact: boolean;
  /** Every address under which the network has shown the person: phones (`…@c.us`) and hidden ids (`…@lid`). */
  aliases: string[];
  /** Where the picture of the person is read, without a key; the address stays and shows the picture of the day. Null until it was fetched, and for a person who shows none. */
  picture: string | null;
}

/** What the agent did with one or more messages of a contact. */
export interface Turn {
  /** The id of the turn. */
  id: string;
  /** The id of a conversation. */
  conversationId: string;
  /** How it ended. */
  outcome: 'running' | 'reply' | 'fallback' | 'handoff' | 'silence';
  /** Why the model said nothing. Also set where a fixed message went out in place of an answer. */
  silence: {
    /** Why it said nothing. */
    code:
      | 'paused'
      | 'human'
      | 'hours'
      | 'opted_out'
      | 'budget'
      | 'duplicate'
      | 'newer_message'
      | 'group'
      | 'revoked'
      | 'stale'
      | 'loop'
      | 'model_failed'
      | 'model_retry'
      | 'nothing_to_answer'
      | 'taken_over'
      | 'reply_refused';
    /** The reason as a sentence for people. */
    text: string;
  } | null;
  /** With the silence `model_retry`: when a model is asked again. */
  retryAt: string | null;
  /** Why a person got the conversation. Null where none did. */
  handoffReason: string | null;
  /** The messages that it is about, oldest first. */
  inboundMessageIds: string[];
  /** The memories that the model was shown. */
  memoryIds: string[];
  /** What was said, in order: a long reply is several messages. */
  messageIds: string[];
  /** The one that answered, or was asked last. */
  model: string | null;
  /** Each request to a model, in order. */
  modelCalls: {
    /** The model that was asked. */
    model: string;
    /** How long it took, in milliseconds. */
    ms: number;
    /** Tokens of the prompt, where the provider told. */
    inputTokens?: number | null;
    /** Tokens of the answer, where the provider told. */
    outputTokens?: number | null;
    /** What it cost, in millionths of the currency that the models are priced in. */
    costMicros?: number | null;
    /** Why it gave no answer. `given_up`: it was no longer needed. */
    error?: string;
    /** It was asked for facts about the contact. */
    purpose?: 'facts';
  }[];
  /** Of all requests, as far as the providers told. */
  inputTokens: number | null;
  /** Of all answers, as far as the providers told. */
  outputTokens: number | null;
  /** In millionths of the currency that the models are priced in. */
  costMicros: number | null;
  /** How often a newer message made it begin again. */
  restarts: number;
  /** What the rules did to the reply, such as `link_removed`; `messages_left_out` where not all messages found room in the prompt. */
  outputNotes: string[];
  /** When the first of its messages was here. */
  receivedAt: string | null;
  /** When it began, after the contact had stopped writing. */
  begunAt: string;
  /** When its reply was accepted for sending, or it was decided to say nothing. */
  endedAt: string | null;
}

/** A session and how it is. */
export interface SessionStatus {
  /** How the session is. */
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
  /** The tenant that it is bound to. */
  tenantId: string;
  /** True where the tenant uses it when a request names none. */
  default: boolean;
  /** What somebody has asked of it. */
  wanted: 'running' | 'stopped' | 'logged_out' | 'deleted';
  /** What somebody has asked for that is not done yet: sends that are on their way end first, and a backend that is away is waited for. Until then nothing else is sent, unless it is only to be started. Null when nothing is pending. */
  pending: 'start' | 'stop' | 'restart' | 'logout' | 'relogin' | 'delete' | null;
  /** Since when it has this status. */
  statusChangedAt: string;
  /** Since when nothing was heard of a session that says that it works, and should have heard something: the engine fetches what it has missed and restarts it. Null while nothing is wrong. `session.silent` tells of it. */
  silentSince: string | null;
  /** Why it is not connected, until it works. `session_name_refused`: the backend does not take its name; make another session with a shorter one, and with `"default": true` where it was the default. `session_name_taken`: the backend has a session of this name that the engine did not make; the operator deletes it there, or connects it with `"adopt": true`. `session_settings_refused`: the backend does not take the address or the events of the engine; its operator must set PUBLIC_URL right and start the engine again. These three are final. `backend_not_configured`: the backend that holds it was taken from the configuration, so its sends wait; the operator puts it back, or moves the session. `session_restarts_used_up`: the engine has brought it back again and again for about a day, and it failed each time; start it once the cause is gone, or log it out and scan a new code. Others (`backend_unavailable`, `backend_error`) are tried again without end; where the session was connected, its backend is down and its messages wait. */
  lastError: string | null;
}
