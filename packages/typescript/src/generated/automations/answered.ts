// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An automation of this release that can be switched on. */
export interface AutomationDefinition {
  /** The name of an automation. */
  name: string;
  /** Its name. */
  title: string;
  /** A description of the automation. */
  description: string;
  /** The version of its code. */
  version: number;
  /** The JSON Schema of the parameters that a tenant sets, with their defaults. */
  params: Record<string, unknown>;
  /** The JSON Schema of the input in a request for a run. Null if it takes none. */
  input: Record<string, unknown> | null;
}

/** A tenant's setting of an automation. */
export interface Automation {
  /** The name of an automation. */
  automation: string;
  /** Whether events start it. */
  enabled: boolean;
  /** The parameters, by the schema of the definition. */
  params: Record<string, unknown>;
  /** Increases with each change of the setting. */
  version: number;
  /** True if the tenant has no setting of its own and follows what the agency has set for all tenants. */
  followsAgency: boolean;
  /** When it was first set. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
}

/** A tenant's setting of an automation, and its earlier settings. */
export interface AutomationHistory {
  /** The name of an automation. */
  automation: string;
  /** Whether events start it. */
  enabled: boolean;
  /** The parameters, by the schema of the definition. */
  params: Record<string, unknown>;
  /** Increases with each change of the setting. */
  version: number;
  /** True if the tenant has no setting of its own and follows what the agency has set for all tenants. */
  followsAgency: boolean;
  /** When it was first set. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
  /** The last hundred versions, newest first. */
  changes: {
    /** Increases with each change of the setting. */
    version: number;
    /** Whether events start it. */
    enabled: boolean;
    /** The parameters, by the schema of the definition. */
    params: Record<string, unknown>;
    /** When this was set. */
    at: string;
    /** The API key that made the request. Null if there was none. */
    keyId: string | null;
    /** True if the agency set this for all its tenants. */
    followsAgency: boolean;
  }[];
}

/** An agency's setting of an automation for all its tenants that have not set it themselves. */
export interface AutomationDefault {
  /** The name of an automation. */
  automation: string;
  /** Whether events start it. */
  enabled: boolean;
  /** The parameters, by the schema of the definition. */
  params: Record<string, unknown>;
  /** Increases with each change of the setting. */
  version: number;
  /** When it was first set. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
}

/** An agency's setting of an automation for all its tenants, and its earlier settings. */
export interface AutomationDefaultHistory {
  /** The name of an automation. */
  automation: string;
  /** Whether events start it. */
  enabled: boolean;
  /** The parameters, by the schema of the definition. */
  params: Record<string, unknown>;
  /** Increases with each change of the setting. */
  version: number;
  /** When it was first set. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
  /** How many tenants follow it. */
  followers: number;
  /** The last hundred versions, newest first. */
  changes: {
    /** Increases with each change of the setting. */
    version: number;
    /** Whether events start it. */
    enabled: boolean;
    /** The parameters, by the schema of the definition. */
    params: Record<string, unknown>;
    /** When this was set. */
    at: string;
    /** The API key that made the request. Null if there was none. */
    keyId: string | null;
  }[];
}

/** The actions that an automation would have taken. Nothing was actually done. */
export interface AutomationDryRun {
  /** The name of an automation. */
  automation: string;
  /** The version of its code. */
  version: number;
  /** The parameters with which it would run. */
  params: Record<string, unknown>;
  /** How many events of the conversation were looked at. */
  eventsRead: number;
  /** True if older events or later runs were omitted: up to 500 events and 20 runs are used. */
  isCut: boolean;
  /** The runs that would have begun, in order of time. */
  runs: {
    /** The event that would begin it. */
    begun: {
      /** The type of the event that began it; `request` if a request did. */
      event: string;
      /** The id of an event. */
      eventId?: string;
      /** The id of a message. */
      messageId?: string;
      /** Whether the message opted its contact out, or in again. Missing otherwise. */
      optOut?: 'out' | 'in';
      /** When it would begin. */
      at: string;
    };
    /** How it would end. */
    status: 'completed' | 'cancelled' | 'failed' | 'unfinished';
    /** Why it would not reach its end: a reason of a run, or one of these. Null if it would. */
    reason:
      | 'requested'
      | 'replaced'
      | 'switched_off'
      | 'stopped'
      | 'suspended'
      | 'taken_over'
      | 'no_longer_so'
      | 'opted_out'
      | 'conversation_gone'
      | 'unknown_definition'
      | 'code_changed'
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
      | 'http_failed'
      | 'secret_missing'
      | 'workflow_raised'
      | 'workflow_too_long'
      | 'workflow_too_large'
      | 'expression_failed'
      | 'too_many_calls'
      | 'lost'
      | 'too_many_steps'
      | 'too_long'
      | 'beyond_context'
      | 'waits_for_ever'
      | 'needs_answer'
      | 'out_of_bounds'
      | null;
    /** The error that the code threw, if the reason is `code_failed`. Null otherwise. */
    error: {
      /** The error that the code threw. */
      message: string;
      /** The file of the automation and the line, as `remind-later.ts:42`. Null if that is not known. */
      at: string | null;
    } | null;
    /** The time to which it was followed. */
    endedAt: string;
    /** The actions that it would take, in order. */
    steps: {
      /** Its place in the run. */
      number: number;
      /** An action that it would take. */
      name: string;
      /** When it would begin. */
      at: string;
      /** Until when it would wait, at the latest. Null if it does not wait. */
      until: string | null;
      /** When it would be done. Null if not known. */
      endedAt: string | null;
      /** The result: `says` and `buttons` are the texts that the contact would read, `waitsFor` and `messageId` what it would wait for and find. */
      detail: Record<
        string,
        string | number | boolean | null | string[] | Record<string, string | number | boolean | null>
      >;
    }[];
  }[];
}
