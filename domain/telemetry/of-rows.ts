import { NO_LABELS } from './metric.ts';
import type { Metric } from './metric.ts';

/** A count stops here, so that a scrape costs the same however long a queue is. */
export const MAX_COUNTED = 10_000;

const BACKEND = { backend: 'the id of a backend' } as const;
const STATE = { state: '`scheduled`, `queued`, `sending` or `uncertain`' } as const;
const PRIORITIES = { priority: '`reply`, `api`, `ai`, `automation` or `background`' } as const;

/**
 * Measurements of the rows for all processes together. Every API shows the same, so take the maximum and never the sum.
 */
export const OF_ROWS = {
  engine_queue_messages: {
    type: 'gauge',
    help: 'Unfinished messages by state; a count stops at 10,000.',
    labels: STATE,
  },
  engine_queue_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest message of a state: since its scheduled time, or since it was accepted. Considers the hundred that expire first.',
    labels: { state: '`scheduled` or `queued`' },
  },
  engine_dispatches_waiting: {
    type: 'gauge',
    help: 'Dispatches that wait for Temporal; a count stops at 10,000.',
    labels: PRIORITIES,
  },
  engine_dispatch_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest dispatch that waits for Temporal.',
    labels: PRIORITIES,
  },
  engine_webhook_deliveries_pending: {
    type: 'gauge',
    help: 'Pending deliveries to endpoints; a count stops at 10,000.',
    labels: NO_LABELS,
  },
  engine_webhook_oldest_pending_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest event that an endpoint has not accepted yet.',
    labels: NO_LABELS,
  },
  engine_webhook_oldest_failing_age_seconds: {
    type: 'gauge',
    help: 'Time since the first attempt of the oldest delivery that fails and is retried.',
    labels: NO_LABELS,
  },
  engine_webhook_endpoints_failing: {
    type: 'gauge',
    help: 'Endpoints with an open or half-open breaker; a count stops at 10,000.',
    labels: { breaker: '`open` or `half_open`' },
  },
  engine_agent_owed_messages: {
    type: 'gauge',
    help: 'Messages of contacts that the agent has not answered yet; a count stops at 10,000.',
    labels: NO_LABELS,
  },
  engine_agent_owed_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest of these messages, among 10,000.',
    labels: NO_LABELS,
  },
  engine_agent_owed_to_people: {
    type: 'gauge',
    help: 'Conversations that wait for a person because the agent was late or its reply failed. A count stops at 1,000.',
    labels: NO_LABELS,
  },
  engine_work_wait_seconds: {
    type: 'gauge',
    help:
      'Time for which the oldest work has waited for the engine itself; 0 if none waits. Work held by a ' +
      'pace, a stopped account or a failing receiver does not count.',
    labels: { kind: '`messages`, `answers`, `promises`, `events_in` or `events_out`' },
  },
  engine_history_syncs_overdue: {
    type: 'gauge',
    help: "Overdue reads of accounts' history; a count stops at 10,000.",
    labels: NO_LABELS,
  },
  engine_history_sync_overdue_seconds: {
    type: 'gauge',
    help: 'Delay of the most overdue of these reads.',
    labels: NO_LABELS,
  },
  engine_reconcile_age_seconds: {
    type: 'gauge',
    help: 'Time since the last repair run; it should stay below a minute.',
    labels: NO_LABELS,
  },
  engine_oldest_sending_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest send without a known outcome.',
    labels: NO_LABELS,
  },
  engine_unapplied_backend_event_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest backend event that is not applied.',
    labels: NO_LABELS,
  },
  engine_oldest_held_event_age_seconds: {
    type: 'gauge',
    help: "Wait of the oldest event that is held for a message's file; it should stay below 30 s.",
    labels: NO_LABELS,
  },
  engine_media_fetches: {
    type: 'gauge',
    help: 'File fetches from the backend in progress.',
    labels: NO_LABELS,
  },
  engine_parked_dispatches: {
    type: 'gauge',
    help: 'Dispatches that Temporal refused permanently.',
    labels: NO_LABELS,
  },
  engine_parked_backend_events: {
    type: 'gauge',
    help: 'Backend events that could not be applied.',
    labels: NO_LABELS,
  },
  engine_parked_own_messages: {
    type: 'gauge',
    help: "Messages of an account that may be the engine's sends or written on the phone.",
    labels: NO_LABELS,
  },
  engine_unknown_reports: {
    type: 'gauge',
    help: 'Unknown kinds of chats, events and contents that a backend reported in the last day.',
    labels: NO_LABELS,
  },
  engine_missing_contents: {
    type: 'gauge',
    help: 'Unanswered messages of the last day that arrived without content; a count stops at 1,000.',
    labels: NO_LABELS,
  },
  engine_open_gaps: {
    type: 'gauge',
    help: 'Periods with possibly lost messages that are not compared yet.',
    labels: NO_LABELS,
  },
  engine_stuck_workflows: {
    type: 'gauge',
    help: 'Workflows that were restarted three or more times without progress.',
    labels: NO_LABELS,
  },
  engine_unfit_rows: {
    type: 'gauge',
    help: 'Stored settings, personas, limits and triggers that this release cannot read; each counts as not set.',
    labels: NO_LABELS,
  },
  engine_reconcile_step_failures: {
    type: 'gauge',
    help: 'Failures of a step of the repair run.',
    labels: { step: 'the name of the step' },
  },
  engine_backend_down_seconds: {
    type: 'gauge',
    help: 'Time since a backend last listed its sessions; 0 while it does.',
    labels: BACKEND,
  },
  engine_backend_sessions: {
    type: 'gauge',
    help: 'Sessions of a backend.',
    labels: BACKEND,
  },
  engine_backend_working_sessions: {
    type: 'gauge',
    help: 'Working sessions of a backend.',
    labels: BACKEND,
  },
  engine_backend_silent_sessions: {
    type: 'gauge',
    help: 'Silent sessions of a backend: they report `WORKING` and deliver no events.',
    labels: BACKEND,
  },
  engine_backend_session_silences: {
    type: 'gauge',
    help: "Total silences of a backend's sessions. Deleted sessions do not count.",
    labels: BACKEND,
  },
  engine_ai_tokens_today: {
    type: 'gauge',
    help: 'Tokens used since midnight UTC.',
    labels: { agency: 'the id of an agency' },
  },
  engine_ai_cost_today: {
    type: 'gauge',
    help: 'Cost of models since midnight UTC, in the currency of LLM_MODELS.',
    labels: { agency: 'the id of an agency' },
  },
  engine_storage_bytes: {
    type: 'gauge',
    help: "Stored bytes of files of an agency's tenants; each file counts once for a tenant.",
    labels: { agency: 'the id of an agency' },
  },
  engine_storage_used_share: {
    type: 'gauge',
    help: 'Used share of the limit of stored bytes, of the agency or its fullest tenant. 0 without a limit.',
    labels: { agency: 'the id of an agency' },
  },
} as const satisfies Record<`engine_${string}`, Metric>;
