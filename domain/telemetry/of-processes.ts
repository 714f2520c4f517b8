import { NO_LABELS } from './metric.ts';
import type { Metric } from './metric.ts';

/** From a fast statement to a request that nearly timed out. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** From a hand-over at once to one that waited for an hour. */
const LAG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 3_600];
/** Models think for up to a minute. */
const MODEL_SECONDS = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** Each process measures these since its start: sum them over the processes. */
export const OF_PROCESSES = {
  engine_media_disk_free_share: {
    type: 'gauge',
    help: 'Free share of the disk of DATA_DIR, from 0 to 1. Absent with a bucket.',
    labels: {},
  },
  engine_http_requests_total: {
    type: 'counter',
    help: 'Answered requests, by route template.',
    labels: { method: 'the HTTP method', route: 'the template of the route, or `unmatched`', status: 'the status' },
  },
  engine_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from a request to the end of its response, by route template.',
    labels: {
      method: 'the HTTP method',
      route: 'the template of the route, or `unmatched`',
      class: '`2xx`, `3xx`, `4xx` or `5xx`',
    },
    buckets: REQUEST_SECONDS,
  },
  engine_event_streams: {
    type: 'gauge',
    help: 'Open event streams of this process.',
    labels: NO_LABELS,
  },
  engine_event_readers: {
    type: 'gauge',
    help: 'Open streams and waiting pulls of this process.',
    labels: NO_LABELS,
  },
  engine_database_connections: {
    type: 'gauge',
    help: 'Connections in the pool of this process.',
    labels: { state: '`busy` or `idle`' },
  },
  engine_database_warm_connections: {
    type: 'gauge',
    help: 'Connections that this process keeps open, with the plans of frequent statements.',
    labels: NO_LABELS,
  },
  engine_database_waiting: {
    type: 'gauge',
    help: "Statements and transactions that wait for a connection or for their agency's share.",
    labels: { for: '`connection` or `share`' },
  },
  engine_dependency_answer_seconds: {
    type: 'gauge',
    help: 'Time in which a part of `/readyz` answered the last request of this process; 2 for no answer.',
    labels: { kind: '`database`, `temporal`, `backend`, `repairs` or `work`' },
  },
  engine_dispatch_lag_seconds: {
    type: 'histogram',
    help: 'Time that a dispatch waited, once it was due, until this process took it.',
    labels: { priority: '`reply`, `api`, `ai`, `automation` or `background`' },
    buckets: LAG_SECONDS,
  },
  engine_dispatches_total: {
    type: 'counter',
    help: 'Dispatches that this process sent to Temporal, or tried to send.',
    labels: { outcome: '`done`, `again` or `parked`' },
  },
  engine_sends_total: {
    type: 'counter',
    help: 'Calls to the backend that send a message, by outcome.',
    labels: { outcome: '`accepted`, `not_sent`, `restricted` or `unknown`' },
  },
  engine_backend_request_duration_seconds: {
    type: 'histogram',
    help: 'Duration of a request to a messaging backend.',
    labels: { method: 'the HTTP method', outcome: '`2xx` to `5xx`, or the class of the failure' },
    buckets: REQUEST_SECONDS,
  },
  engine_webhook_attempts_total: {
    type: 'counter',
    help: 'Attempts at endpoints, by result.',
    labels: { class: 'the class of an attempt, as in the log of attempts' },
  },
  engine_webhook_attempt_duration_seconds: {
    type: 'histogram',
    help: 'Duration of an attempt at an endpoint.',
    labels: { class: 'the class of an attempt, as in the log of attempts' },
    buckets: REQUEST_SECONDS,
  },
  engine_webhook_lag_seconds: {
    type: 'histogram',
    help: 'Time from an event to the response of the endpoint that accepted it.',
    labels: NO_LABELS,
    buckets: LAG_SECONDS,
  },
  engine_ai_requests_total: {
    type: 'counter',
    help: 'Requests to models.',
    labels: { model: 'an id of LLM_MODELS', outcome: '`answered`, or the code of the failure' },
  },
  engine_ai_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from a request to a model until its answer was read.',
    labels: { model: 'an id of LLM_MODELS' },
    buckets: MODEL_SECONDS,
  },
  engine_ai_tokens_total: {
    type: 'counter',
    help: 'Tokens that models report as used.',
    labels: { model: 'an id of LLM_MODELS', kind: '`input` or `output`' },
  },
  engine_ai_cost_total: {
    type: 'counter',
    help: 'Cost of requests to models, in the currency of LLM_MODELS.',
    labels: { model: 'an id of LLM_MODELS' },
  },
} as const satisfies Record<`engine_${string}`, Metric>;
