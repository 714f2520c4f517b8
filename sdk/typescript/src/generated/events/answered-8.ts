// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ErasedPayload, EventMetadata, LinkedPayload } from './answered.ts';

/** An endpoint has failed for an hour, a day or three days, or events for it have used up their attempts (told once an hour at most). Sent to the other endpoints of the agency. */
export interface EndpointFailingEvent {
  /** The type of the event. */
  event: 'endpoint.failing';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a webhook endpoint. */
        endpointId: string;
        /** Where it is. */
        url: string;
        /** Whether events go out to it. A paused or disabled endpoint keeps its events until it is resumed. */
        status: 'active' | 'paused' | 'disabled';
        /** Why this is told. */
        reason: 'failing_for' | 'events_exhausted' | 'gone' | 'failing_for_days' | 'by_request' | 'answers_again';
        /** When it began to fail. Null once it does well. */
        failingSince: string | null;
        /** The class of the last failed attempt. Null once it does well. */
        lastError: string | null;
        /** Events that wait for it. */
        pending: number;
        /** When it was told, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** An endpoint has answered 410, or has failed for days. Its events are kept until it is resumed. */
export interface EndpointDisabledEvent {
  /** The type of the event. */
  event: 'endpoint.disabled';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a webhook endpoint. */
        endpointId: string;
        /** Where it is. */
        url: string;
        /** Whether events go out to it. A paused or disabled endpoint keeps its events until it is resumed. */
        status: 'active' | 'paused' | 'disabled';
        /** Why this is told. */
        reason: 'failing_for' | 'events_exhausted' | 'gone' | 'failing_for_days' | 'by_request' | 'answers_again';
        /** When it began to fail. Null once it does well. */
        failingSince: string | null;
        /** The class of the last failed attempt. Null once it does well. */
        lastError: string | null;
        /** Events that wait for it. */
        pending: number;
        /** When it was told, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** An endpoint that was reported as failing or disabled answers again, or somebody has resumed it. */
export interface EndpointRecoveredEvent {
  /** The type of the event. */
  event: 'endpoint.recovered';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a webhook endpoint. */
        endpointId: string;
        /** Where it is. */
        url: string;
        /** Whether events go out to it. A paused or disabled endpoint keeps its events until it is resumed. */
        status: 'active' | 'paused' | 'disabled';
        /** Why this is told. */
        reason: 'failing_for' | 'events_exhausted' | 'gone' | 'failing_for_days' | 'by_request' | 'answers_again';
        /** When it began to fail. Null once it does well. */
        failingSince: string | null;
        /** The class of the last failed attempt. Null once it does well. */
        lastError: string | null;
        /** Events that wait for it. */
        pending: number;
        /** When it was told, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** Somebody tries an endpoint. Sent to that endpoint alone, whatever it asks for. */
export interface EndpointTestEvent {
  /** The type of the event. */
  event: 'endpoint.test';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a webhook endpoint. */
        endpointId: string;
        /** A word to whoever reads it. */
        message: string;
        /** When it was asked for, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}
