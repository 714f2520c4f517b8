// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Automation, AutomationDefault, AutomationDefinition } from './answered.ts';

/** One run of an automation. */
export interface Execution {
  /** The id of an execution. */
  id: string;
  /** The name of the automation. */
  automation: string;
  /** The version of the workflow, or of the code that began it. Null until the code has begun. */
  version: number | null;
  /** The account that it acts for. Null if it has none. */
  sessionId: string | null;
  /** Its conversation. Null if it has none. */
  conversationId: string | null;
  /** Its contact. Null if it has none. */
  contactId: string | null;
  /** The event that began it. */
  begun: {
    /** The type of the event that began it; `request` if a request did. */
    event: string;
    /** The id of an event. */
    eventId?: string;
    /** The id of a message. */
    messageId?: string;
    /** Whether the message opted its contact out, or in again. Missing otherwise. */
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
    | null;
  /** The task of the workflow's definition at which it failed, as a JSON pointer. Otherwise null. */
  failedPath: string | null;
  /** The reason for the wait: `reply`, `ack` or `time`; `turn` if the agency has many runs at work. Otherwise null. */
  waitsFor: string | null;
  /** Until when it waits, at the latest. Null while it does not wait. */
  waitsUntil: string | null;
  /** The run that it repeats from the start. Null if there is none. */
  retryOf: string | null;
  /** Its id in Temporal. Null if it has no execution there: it waits for its turn, or ended while it did. */
  workflowId: string | null;
  /** Its address in Temporal's web UI. Null if it has no execution, or the engine no `TEMPORAL_UI_URL`. */
  temporalUrl: string | null;
  /** When it was requested. */
  createdAt: string;
  /** When it ended. Null while it runs. */
  endedAt: string | null;
}

/** One run of an automation, with its steps. */
export interface ExecutionStory {
  /** The id of an execution. */
  id: string;
  /** The name of the automation. */
  automation: string;
  /** The version of the workflow, or of the code that began it. Null until the code has begun. */
  version: number | null;
  /** The account that it acts for. Null if it has none. */
  sessionId: string | null;
  /** Its conversation. Null if it has none. */
  conversationId: string | null;
  /** Its contact. Null if it has none. */
  contactId: string | null;
  /** The event that began it. */
  begun: {
    /** The type of the event that began it; `request` if a request did. */
    event: string;
    /** The id of an event. */
    eventId?: string;
    /** The id of a message. */
    messageId?: string;
    /** Whether the message opted its contact out, or in again. Missing otherwise. */
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
    | null;
  /** The task of the workflow's definition at which it failed, as a JSON pointer. Otherwise null. */
  failedPath: string | null;
  /** The reason for the wait: `reply`, `ack` or `time`; `turn` if the agency has many runs at work. Otherwise null. */
  waitsFor: string | null;
  /** Until when it waits, at the latest. Null while it does not wait. */
  waitsUntil: string | null;
  /** The run that it repeats from the start. Null if there is none. */
  retryOf: string | null;
  /** Its id in Temporal. Null if it has no execution there: it waits for its turn, or ended while it did. */
  workflowId: string | null;
  /** Its address in Temporal's web UI. Null if it has no execution, or the engine no `TEMPORAL_UI_URL`. */
  temporalUrl: string | null;
  /** When it was requested. */
  createdAt: string;
  /** When it ended. Null while it runs. */
  endedAt: string | null;
  /** The parameters with which it began. */
  params: Record<string, unknown>;
  /** The run that repeats it. Null if there is none. */
  retriedBy: string | null;
  /** Its steps so far, in order. */
  steps: {
    /** The action that it took. */
    name: string;
    /** The task of the workflow's definition, as a JSON pointer. Null for an automation in code. */
    path: string | null;
    /** The ids of the results. */
    detail: Record<string, unknown>;
    /** When it began. */
    startedAt: string;
    /** When it was done. Null until then. */
    endedAt: string | null;
  }[];
}

export interface AutomationsListDefinitionsAnswer {
  /** All automations, sorted by name. */
  definitions: AutomationDefinition[];
}

export interface AutomationsListAnswer {
  /** The automations that were ever set, sorted by name. */
  automations: Automation[];
}

export interface AutomationsListDefaultsAnswer {
  /** The automations that were ever set, sorted by name. */
  defaults: AutomationDefault[];
}

export interface AutomationsListExecutionsAnswer {
  /** The runs on this page. */
  executions: Execution[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface AutomationsCancelByKeyAnswer {
  /** The run that was cancelled. Empty if none was in progress. */
  cancelled: string[];
}
