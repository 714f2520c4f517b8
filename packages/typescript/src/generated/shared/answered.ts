// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An error, as application/problem+json (RFC 9457). */
export interface Problem {
  /** The address of a page that explains the code: cause, example and what to do. */
  type: string;
  /** The name of the error in English. It may be reworded: branch on `code`. */
  title: string;
  /** The HTTP status of the response. */
  status: number;
  /** The machine word for the error. Its meaning never changes; `x-error-codes` of an operation lists the codes of that operation. */
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
    | 'storage_limit'
    | 'too_many_rehearsals'
    | 'too_many_waiting'
    | 'already_registered'
    | 'no_previous_key'
    | 'endpoint_shared'
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
    | 'event_expired'
    | 'cursor_expired'
    | 'cursor_invalid'
    | 'file_gone'
    | 'export_not_ready'
    | 'export_gone'
    | 'erased'
    | 'no_session'
    | 'automations_stopped'
    | 'workflow_limit'
    | 'too_many_runs'
    | 'execution_running'
    | 'execution_ended'
    | 'budget_spent'
    | 'label_unknown'
    | 'endpoint_unusable'
    | 'calls_full'
    | 'webhook_failed'
    | 'webhook_refused'
    | 'answer_unfit'
    | 'http_failed'
    | 'http_refused'
    | 'secret_missing'
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
    | 'disk_low'
    | 'busy'
    | 'overloaded'
    | 'unavailable';
  /** The fault of this request and the next step, as readable text. */
  detail: string;
  /** All fields that are wrong. Missing if no field is to blame. */
  errors?: {
    /** JSON pointer into the body, or query/<name>, path/<name>, header/<name>. */
    pointer: string;
    /** The fault of the field, as the end of a sentence about it. */
    message: string;
  }[];
  /** More detail than the code, as a machine word: for `file_gone`, why the file is gone, as in `media.error` without `media_`. Missing for other codes. */
  reason?: string;
  /** The id of this HTTP request, as in the header X-Request-Id. Quote it to the operator, who can find it in the log. */
  requestId: string;
}

/** When a waiting message is likely to go out, and what decides it. */
export interface Plan {
  /** An estimate of when the message goes out. Null if it is not known. */
  sendAt: string | null;
  /** The rule that decides when it goes out. */
  rule:
    | 'now'
    | 'scheduled'
    | 'queue'
    | 'pace'
    | 'first_contacts'
    | 'quiet_hours'
    | 'restricted'
    | 'session_not_working'
    | 'suspended'
    | 'backend_unavailable';
  /** The message is likely to expire first: it needs a later `expiresAt`. */
  expiresBefore?: true;
}

/** A person as one account knows them. */
export interface Contact {
  /** The id of a contact. */
  contactId: string;
  /** The address at which messages reach the person: the phone number if it is known. */
  chatId: string;
  /** The phone number, in digits with its country code. Null if only a hidden id is known. */
  phone: string | null;
  /** The hidden id. Null if none is known. */
  lid: string | null;
  /** The name in the account's address book. Null if it has none. */
  name: string | null;
  /** The name that the person shows to others. Null until it is known. */
  pushName: string | null;
  /** Whether the account has blocked the person. */
  isBlocked: boolean;
  /** Whether the person wants no more messages. If true, only messages that a request marks as transactional are sent. */
  isOptedOut: boolean;
  /** Whether the person is in the account's address book. */
  isMyContact: boolean;
  /** Every address under which the network has shown the person: phones (`…@c.us`) and hidden ids (`…@lid`). */
  aliases: string[];
  /** The address of the person's picture, which needs no key. The address is permanent and shows the current picture. */
  picture: string | null;
}

/** The agent's decision about one or more messages of a contact. */
export interface Turn {
  /** The turn's id. */
  id: string;
  /** The id of a conversation. */
  conversationId: string;
  /** How the turn ended. */
  outcome: 'running' | 'reply' | 'fallback' | 'handoff' | 'silence';
  /** Why the model said nothing. Also set if a fixed message was sent in place of an answer. */
  silence: {
    /** Why the agent said nothing. */
    code:
      | 'paused'
      | 'human'
      | 'hours'
      | 'automation'
      | 'opted_out'
      | 'budget'
      | 'duplicate'
      | 'newer_message'
      | 'group'
      | 'revoked'
      | 'stale'
      | 'agent_late'
      | 'loop'
      | 'model_failed'
      | 'model_retry'
      | 'content_missing'
      | 'nothing_said'
      | 'network_account'
      | 'unknown_address'
      | 'nothing_to_answer'
      | 'taken_over'
      | 'reply_refused';
    /** The reason as a sentence for people. */
    text: string;
  } | null;
  /** With the silence `model_retry`: when a model is asked again. Past once the next turn asks it. */
  retryAt: string | null;
  /** Why a person got the conversation. Null if nobody did. */
  handoffReason: string | null;
  /** The messages that the turn is about, oldest first. */
  inboundMessageIds: string[];
  /** The memories that were shown to the model. */
  memoryIds: string[];
  /** The sent messages, in order. A long reply is several messages. */
  messageIds: string[];
  /** The model that answered, or that was asked last. */
  model: string | null;
  /** Each request to a model, in order. */
  modelCalls: {
    /** The requested model. */
    model: string;
    /** How long it took, in milliseconds. */
    ms: number;
    /** Tokens of the prompt, if the provider reported them. */
    inputTokens?: number | null;
    /** Tokens of the answer, if the provider reported them. */
    outputTokens?: number | null;
    /** The cost, in millionths of the currency of the models' prices. */
    costMicros?: number | null;
    /** Why it gave no answer. `given_up`: the answer was no longer needed. */
    error?: string;
    /** Set if the request asked for facts about the contact. */
    purpose?: 'facts';
  }[];
  /** The sum of all requests, as far as the providers reported them. */
  inputTokens: number | null;
  /** The sum of all answers, as far as the providers reported them. */
  outputTokens: number | null;
  /** In millionths of the currency that the models are priced in. */
  costMicros: number | null;
  /** How often a newer message made the turn start over. */
  restarts: number;
  /** Changes by the rules, such as `link_removed`. `messages_left_out`: not all messages fitted into the prompt. */
  outputNotes: string[];
  /** When the first of its messages arrived. */
  receivedAt: string | null;
  /** When the turn began, after the contact had stopped writing. */
  begunAt: string;
  /** When the reply was accepted for sending, or it was decided to say nothing. */
  endedAt: string | null;
}
