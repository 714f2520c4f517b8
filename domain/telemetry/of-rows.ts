import { NO_LABELS } from './metric.ts';
import type { Metric } from './metric.ts';

/** A count stops here, so that a scrape costs the same however long a queue is. */
export const MAX_COUNTED = 10_000;

const BACKEND = { backend: 'the id of a backend' } as const;
const STATE = { state: '`scheduled`, `queued`, `sending` or `uncertain`' } as const;
const PRIORITIES = { priority: '`reply`, `api`, `ai`, `automation` or `background`' } as const;

/** What the rows say, of all processes together: every API shows the same, so take the greatest and never the sum. */
export const OF_ROWS = {
  engine_queue_messages: {
    type: 'gauge',
    help: 'Messages that have not reached an end, by state; a count stops at 10,000.',
    labels: STATE,
  },
  engine_queue_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest message of a state: scheduled ones since their time, queued ones since they were accepted, among the hundred that expire first.',
    labels: { state: '`scheduled` or `queued`' },
  },
  engine_dispatches_waiting: {
    type: 'gauge',
    help: 'Promises that wait to be handed to Temporal; a count stops at 10,000.',
    labels: PRIORITIES,
  },
  engine_dispatch_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest promise that waits to be handed to Temporal.',
    labels: PRIORITIES,
  },
  engine_webhook_deliveries_pending: {
    type: 'gauge',
    help: 'Deliveries to endpoints that have not arrived yet; a count stops at 10,000.',
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
    help: 'Endpoints whose breaker is not closed; a count stops at 10,000.',
    labels: { breaker: '`open` or `half_open`' },
  },
  engine_agent_owed_messages: {
    type: 'gauge',
    help: 'Messages of contacts that the agent has not answered yet; a count stops at 10,000.',
    labels: NO_LABELS,
  },
  engine_agent_owed_age_seconds: {
    type: 'gauge',
    help: 'Time for which the agent has owed the oldest of these answers, among 10,000 of them.',
    labels: NO_LABELS,
  },
  engine_agent_owed_to_people: {
    type: 'gauge',
    help: 'Conversations that the agent handed over because it was late or its reply failed, and that nobody has answered since; a count stops at 1,000.',
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
    help: "Readings of accounts' history that are due and have not continued; a count stops at 10,000.",
    labels: NO_LABELS,
  },
  engine_history_sync_overdue_seconds: {
    type: 'gauge',
    help: 'Time since the most overdue of these readings was due.',
    labels: NO_LABELS,
  },
  engine_reconcile_age_seconds: {
    type: 'gauge',
    help: 'Time since any worker last reconciled the rows; it should stay below a minute.',
    labels: NO_LABELS,
  },
  engine_oldest_sending_age_seconds: {
    type: 'gauge',
    help: 'Time since the claim of the oldest message whose outcome is not known.',
    labels: NO_LABELS,
  },
  engine_unapplied_backend_event_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest event of the backend that is not applied.',
    labels: NO_LABELS,
  },
  engine_oldest_held_event_age_seconds: {
    type: 'gauge',
    help: "Time for which the oldest event that waits for a message's file has been held; it should stay below half a minute.",
    labels: NO_LABELS,
  },
  engine_media_fetches: {
    type: 'gauge',
    help: 'Files of contacts that are being fetched from the backend.',
    labels: NO_LABELS,
  },
  engine_parked_dispatches: {
    type: 'gauge',
    help: 'Promises that Temporal refused permanently.',
    labels: NO_LABELS,
  },
  engine_parked_backend_events: {
    type: 'gauge',
    help: 'Events of the backend that could not be applied.',
    labels: NO_LABELS,
  },
  engine_parked_own_messages: {
    type: 'gauge',
    help: "Messages of an account that may be the engine's sends or written on the phone.",
    labels: NO_LABELS,
  },
  engine_unknown_reports: {
    type: 'gauge',
    help: 'Kinds of chats, events and contents that a backend reported within a day and that the engine does not know.',
    labels: NO_LABELS,
  },
  engine_missing_contents: {
    type: 'gauge',
    help: 'Messages of contacts that arrived within a day without their content and that no person has answered since; a count stops at 1,000.',
    labels: NO_LABELS,
  },
  engine_open_gaps: {
    type: 'gauge',
    help: 'Past times in which messages of a session may have been lost and that are not compared yet.',
    labels: NO_LABELS,
  },
  engine_stuck_workflows: {
    type: 'gauge',
    help: 'Workflows that were promised three or more times although their row did not move.',
    labels: NO_LABELS,
  },
  engine_unfit_rows: {
    type: 'gauge',
    help: 'Stored settings, personas, limits and triggers that this release cannot read; each counts as not set.',
    labels: NO_LABELS,
  },
  engine_reconcile_step_failures: {
    type: 'gauge',
    help: 'How often a step of the reconcile failed, by its name.',
    labels: { step: 'the name of the step' },
  },
  engine_backend_down_seconds: {
    type: 'gauge',
    help: 'How long a messaging backend has returned no list of its sessions; 0 while it returns one.',
    labels: BACKEND,
  },
  engine_backend_sessions: {
    type: 'gauge',
    help: 'The sessions that a messaging backend holds.',
    labels: BACKEND,
  },
  engine_backend_working_sessions: {
    type: 'gauge',
    help: 'The sessions of a messaging backend that are working.',
    labels: BACKEND,
  },
  engine_backend_silent_sessions: {
    type: 'gauge',
    help: 'The sessions of a messaging backend that say that they work but report nothing.',
    labels: BACKEND,
  },
  engine_backend_session_silences: {
    type: 'gauge',
    help: 'How often sessions of a messaging backend were found silent, in total; a deleted session no longer counts.',
    labels: BACKEND,
  },
  engine_ai_tokens_today: {
    type: 'gauge',
    help: 'Tokens that models used since midnight UTC.',
    labels: { agency: 'the id of an agency' },
  },
  engine_ai_cost_today: {
    type: 'gauge',
    help: 'Cost of models since midnight UTC, in the currency of LLM_MODELS.',
    labels: { agency: 'the id of an agency' },
  },
  engine_storage_bytes: {
    type: 'gauge',
    help: 'Bytes of files that the tenants of an agency store; each file counts once for a tenant.',
    labels: { agency: 'the id of an agency' },
  },
  engine_storage_used_share: {
    type: 'gauge',
    help: 'The share of its limit of stored bytes that the agency, or its fullest tenant, uses. 0 without a limit.',
    labels: { agency: 'the id of an agency' },
  },
} as const satisfies Record<`engine_${string}`, Metric>;
