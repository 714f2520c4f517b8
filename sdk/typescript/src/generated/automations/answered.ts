// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An automation that this release has, to be switched on. */
export interface AutomationDefinition {
  /** The name of an automation. */
  name: string;
  /** What it is called. */
  title: string;
  /** What it does. */
  description: string;
  /** The version of its code. */
  version: number;
  /** The JSON Schema of what a tenant sets, with what holds where something is left out. */
  params: Record<string, unknown>;
  /** The JSON Schema of what a request for a run says. Null where it says nothing. */
  input: Record<string, unknown> | null;
}

/** What a tenant has set of an automation. */
export interface Automation {
  /** The name of an automation. */
  automation: string;
  /** Whether events start it. */
  enabled: boolean;
  /** What is set, by the schema of the definition. */
  params: Record<string, unknown>;
  /** Grows with each change of what is set. */
  version: number;
  /** True where the tenant has set nothing of its own: it is as the agency has set it for all tenants. */
  followsAgency: boolean;
  /** When it was set first. */
  createdAt: string;
  /** When it was changed last. */
  updatedAt: string;
}

/** What a tenant has set of an automation, and what it had set before. */
export interface AutomationHistory {
  /** The name of an automation. */
  automation: string;
  /** Whether events start it. */
  enabled: boolean;
  /** What is set, by the schema of the definition. */
  params: Record<string, unknown>;
  /** Grows with each change of what is set. */
  version: number;
  /** True where the tenant has set nothing of its own: it is as the agency has set it for all tenants. */
  followsAgency: boolean;
  /** When it was set first. */
  createdAt: string;
  /** When it was changed last. */
  updatedAt: string;
  /** The last hundred versions, the newest first. */
  changes: {
    /** Grows with each change of what is set. */
    version: number;
    /** Whether events start it. */
    enabled: boolean;
    /** What is set, by the schema of the definition. */
    params: Record<string, unknown>;
    /** When it was set so. */
    at: string;
    /** The API key that asked. Null where none did. */
    keyId: string | null;
    /** True where the agency has set it so, for all its tenants. */
    followsAgency: boolean;
  }[];
}

/** What an agency has set of an automation for all its tenants that have not set it themselves. */
export interface AutomationDefault {
  /** The name of an automation. */
  automation: string;
  /** Whether events start it. */
  enabled: boolean;
  /** What is set, by the schema of the definition. */
  params: Record<string, unknown>;
  /** Grows with each change of what is set. */
  version: number;
  /** When it was set first. */
  createdAt: string;
  /** When it was changed last. */
  updatedAt: string;
}

/** What an agency has set of an automation for all its tenants, and what it had set before. */
export interface AutomationDefaultHistory {
  /** The name of an automation. */
  automation: string;
  /** Whether events start it. */
  enabled: boolean;
  /** What is set, by the schema of the definition. */
  params: Record<string, unknown>;
  /** Grows with each change of what is set. */
  version: number;
  /** When it was set first. */
  createdAt: string;
  /** When it was changed last. */
  updatedAt: string;
  /** How many tenants have it so. */
  followers: number;
  /** The last hundred versions, the newest first. */
  changes: {
    /** Grows with each change of what is set. */
    version: number;
    /** Whether events start it. */
    enabled: boolean;
    /** What is set, by the schema of the definition. */
    params: Record<string, unknown>;
    /** When it was set so. */
    at: string;
    /** The API key that asked. Null where none did. */
    keyId: string | null;
  }[];
}

/** What an automation would have done, without anything being done. */
export interface AutomationDryRun {
  /** The name of an automation. */
  automation: string;
  /** The version of its code. */
  version: number;
  /** The parameters with which it would run. */
  params: Record<string, unknown>;
  /** How many events of the conversation were looked at. */
  eventsRead: number;
  /** True where older events or later runs were left out: 500 events and 20 runs are looked at. */
  isCut: boolean;
  /** The runs that would have begun, in the order of time. */
  runs: {
    /** What would begin it. */
    begun: {
      /** The type of the event that began it; `request` where a request did. */
      event: string;
      /** The id of an event. */
      eventId?: string;
      /** The id of a message. */
      messageId?: string;
      /** Whether the message has opted its contact out, or in again. Missing for any other. */
      optOut?: 'out' | 'in';
      /** When it would begin. */
      at: string;
    };
    /** How it would end. */
    status: 'completed' | 'cancelled' | 'failed' | 'unfinished';
    /** Why it would not come to its end: those of a run, or these. Null where it would. */
    reason:
      | 'requested'
      | 'replaced'
      | 'switched_off'
      | 'stopped'
      | 'suspended'
      | 'taken_over'
      | 'opted_out'
      | 'conversation_gone'
      | 'unknown_definition'
      | 'code_failed'
      | 'label_unknown'
      | 'not_supported_by_engine'
      | 'session_not_ready'
      | 'backend_unavailable'
      | 'endpoint_unusable'
      | 'webhook_failed'
      | 'answer_unfit'
      | 'budget_spent'
      | 'model_failed'
      | 'step_failed'
      | 'too_many_running'
      | 'too_many_started'
      | 'lost'
      | 'too_many_steps'
      | 'too_long'
      | 'beyond_context'
      | 'waits_for_ever'
      | 'needs_answer'
      | 'out_of_bounds'
      | null;
    /** The time to which it was followed. */
    endedAt: string;
    /** What it would do, in order. */
    steps: {
      /** Its place in the run. */
      number: number;
      /** What it would do. */
      name: string;
      /** When it would begin. */
      at: string;
      /** Until when it would wait at most. Null where it does not wait. */
      until: string | null;
      /** When it would be done. Null where that is not known. */
      endedAt: string | null;
      /** What would come of it: `says` and `buttons` are the words that the contact would read, `waitsFor` and `messageId` what it would wait for and find. */
      detail: Record<
        string,
        string | number | boolean | null | string[] | Record<string, string | number | boolean | null>
      >;
    }[];
  }[];
}

/** One run of an automation. */
export interface Execution {
  /** The id of an execution. */
  id: string;
  /** The name of its automation. */
  automation: string;
  /** The version of the code that began it. Null until then. */
  version: number | null;
  /** The account that it acts for. Null where it has none. */
  sessionId: string | null;
  /** Its conversation. Null where it has none. */
  conversationId: string | null;
  /** Its contact. Null where it has none. */
  contactId: string | null;
  /** What began it. */
  begun: {
    /** The type of the event that began it; `request` where a request did. */
    event: string;
    /** The id of an event. */
    eventId?: string;
    /** The id of a message. */
    messageId?: string;
    /** Whether the message has opted its contact out, or in again. Missing for any other. */
    optOut?: 'out' | 'in';
  };
  /** How far it is. */
  status: 'running' | 'completed' | 'failed' | 'cancelled';
  /** Why it failed or was cancelled. Null otherwise. */
  reason:
    | 'requested'
    | 'replaced'
    | 'switched_off'
    | 'stopped'
    | 'suspended'
    | 'taken_over'
    | 'opted_out'
    | 'conversation_gone'
    | 'unknown_definition'
    | 'code_failed'
    | 'label_unknown'
    | 'not_supported_by_engine'
    | 'session_not_ready'
    | 'backend_unavailable'
    | 'endpoint_unusable'
    | 'webhook_failed'
    | 'answer_unfit'
    | 'budget_spent'
    | 'model_failed'
    | 'step_failed'
    | 'too_many_running'
    | 'too_many_started'
    | 'lost'
    | null;
  /** What it waits for now: `reply`, `ack` or `time`; `turn` where the agency has many at work; or null. */
  waitsFor: string | null;
  /** Until when, at most. Null while it does not wait. */
  waitsUntil: string | null;
  /** The run that it repeats from the start, or null. */
  retryOf: string | null;
  /** Its id in Temporal. */
  workflowId: string;
  /** Where Temporal's web UI shows it. Null where the engine has no `TEMPORAL_UI_URL`. */
  temporalUrl: string | null;
  /** When it was asked for. */
  createdAt: string;
  /** When it ended. Null while it runs. */
  endedAt: string | null;
}
