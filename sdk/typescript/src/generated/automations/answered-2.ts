// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Automation, AutomationDefault, AutomationDefinition, Execution } from './answered.ts';

/** One run of an automation, with its steps. */
export interface ExecutionStory {
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
  /** The parameters with which it began. */
  params: Record<string, unknown>;
  /** The run that repeats it, or null. */
  retriedBy: string | null;
  /** What it has done, in order. */
  steps: {
    /** What it did. */
    name: string;
    /** The ids of what came of it. */
    detail: Record<string, unknown>;
    /** When it began. */
    startedAt: string;
    /** When it was done. Null while it is not. */
    endedAt: string | null;
  }[];
}

export interface AutomationsListDefinitionsAnswer {
  /** All of them, by name. */
  definitions: AutomationDefinition[];
}

export interface AutomationsListAnswer {
  /** Those that were ever set, by name. */
  automations: Automation[];
}

export interface AutomationsListDefaultsAnswer {
  /** Those that were ever set, by name. */
  defaults: AutomationDefault[];
}

export interface AutomationsListExecutionsAnswer {
  /** The runs of this page. */
  executions: Execution[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}

export interface AutomationsCancelByKeyAnswer {
  /** The run that was cancelled. Empty where none was under way. */
  cancelled: string[];
}
