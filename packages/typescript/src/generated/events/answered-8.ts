// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ErasedPayload, EventMetadata, LinkedPayload } from './answered.ts';

/** A run of an automation reached its end, or was stopped: a person took over, or it was cancelled or switched off. */
export interface AutomationCompletedEvent {
  /** The event type. */
  event: 'automation.completed';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of an execution. */
        executionId: string;
        /** The name of the automation. */
        automation: string;
        /** The account that it acts for. Null if it has none. */
        sessionId: string | null;
        /** Its conversation. Null if it has none. */
        conversationId: string | null;
        /** Its contact. Null if it has none. */
        contactId: string | null;
        /** Whether it ran to its end or was stopped; `reason` says why. */
        status: 'completed' | 'cancelled';
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
        /** When this happened, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A run of an automation could not continue, or could not begin because the agency had too many. */
export interface AutomationFailedEvent {
  /** The event type. */
  event: 'automation.failed';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of an execution. */
        executionId: string;
        /** The name of the automation. */
        automation: string;
        /** The account that it acts for. Null if it has none. */
        sessionId: string | null;
        /** Its conversation. Null if it has none. */
        conversationId: string | null;
        /** Its contact. Null if it has none. */
        contactId: string | null;
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
        /** When this happened, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** An endpoint has failed for an hour, a day or three days, or events ran out of attempts. The agency's other endpoints receive it. */
export interface EndpointFailingEvent {
  /** The event type. */
  event: 'endpoint.failing';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a webhook endpoint. */
        endpointId: string;
        /** The endpoint's URL. */
        url: string;
        /** Whether events are sent to it. A paused or disabled endpoint keeps its events until it is resumed. */
        status: 'active' | 'paused' | 'disabled';
        /** The reason for this event. */
        reason: 'failing_for' | 'events_exhausted' | 'gone' | 'failing_for_days' | 'by_request' | 'answers_again';
        /** When it began to fail. Null once it is healthy. */
        failingSince: string | null;
        /** The class of the last failed attempt. Null once it is healthy. */
        lastError: string | null;
        /** Events that wait for the endpoint. */
        pending: number;
        /** When this was reported, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** An endpoint returned 410, or failed for days. Its events are kept until it is resumed. */
export interface EndpointDisabledEvent {
  /** The event type. */
  event: 'endpoint.disabled';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a webhook endpoint. */
        endpointId: string;
        /** The endpoint's URL. */
        url: string;
        /** Whether events are sent to it. A paused or disabled endpoint keeps its events until it is resumed. */
        status: 'active' | 'paused' | 'disabled';
        /** The reason for this event. */
        reason: 'failing_for' | 'events_exhausted' | 'gone' | 'failing_for_days' | 'by_request' | 'answers_again';
        /** When it began to fail. Null once it is healthy. */
        failingSince: string | null;
        /** The class of the last failed attempt. Null once it is healthy. */
        lastError: string | null;
        /** Events that wait for the endpoint. */
        pending: number;
        /** When this was reported, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A failing or disabled endpoint works again, or was resumed. */
export interface EndpointRecoveredEvent {
  /** The event type. */
  event: 'endpoint.recovered';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a webhook endpoint. */
        endpointId: string;
        /** The endpoint's URL. */
        url: string;
        /** Whether events are sent to it. A paused or disabled endpoint keeps its events until it is resumed. */
        status: 'active' | 'paused' | 'disabled';
        /** The reason for this event. */
        reason: 'failing_for' | 'events_exhausted' | 'gone' | 'failing_for_days' | 'by_request' | 'answers_again';
        /** When it began to fail. Null once it is healthy. */
        failingSince: string | null;
        /** The class of the last failed attempt. Null once it is healthy. */
        lastError: string | null;
        /** Events that wait for the endpoint. */
        pending: number;
        /** When this was reported, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A test of an endpoint. Only that endpoint receives it, whatever its `events` are. */
export interface EndpointTestEvent {
  /** The event type. */
  event: 'endpoint.test';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a webhook endpoint. */
        endpointId: string;
        /** A note for the reader. */
        message: string;
        /** When it was requested, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}
