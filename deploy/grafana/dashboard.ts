import { writeFileSync } from 'node:fs';
import type { Dashboard } from '@grafana/schema';
import { format } from 'prettier';
import { setOut } from './panels.ts';
import type { Shown } from './panels.ts';

/*
 * The dashboard of an engine, in the types of Grafana's own schema, so that a field which Grafana does not know fails
 * the check of types. `npm run dashboard` writes what Grafana imports.
 */

export const DASHBOARD_FILE = new URL('./engine.json', import.meta.url);

const rate = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;
const quantile = (part: number, metric: string, by = ''): string =>
  `histogram_quantile(${part}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${metric}_bucket[$__rate_interval])))`;
/** All APIs show the same rows. */
const rows = (metric: string, by?: string): string => `max${by === undefined ? '' : ` by (${by})`} (${metric})`;

const REQUESTS: Shown[] = [
  {
    title: 'Requests',
    description: 'What clients ask, by the class of the answer.',
    unit: 'reqps',
    queries: [{ expr: rate('engine_http_request_duration_seconds_count', 'class'), legend: '{{class}}' }],
  },
  {
    title: 'Time of a request',
    description: 'Without the streams of events, which end when their reader leaves.',
    unit: 's',
    queries: [0.5, 0.95, 0.99].map((part) => ({
      expr: quantile(part, 'engine_http_request_duration_seconds').replace(
        '_bucket[',
        '_bucket{route!="/api/v1/events/stream"}[',
      ),
      legend: `p${part * 100}`,
    })),
  },
  {
    title: 'Time that parts take to answer',
    description: 'The database, Temporal and the backends, as the slowest API process sees them.',
    unit: 's',
    queries: [{ expr: rows('engine_dependency_answer_seconds', 'kind'), legend: '{{kind}}' }],
  },
  {
    title: 'Connections to PostgreSQL',
    description: 'Busy ones, and what waits for one: docs/operate/scale.md says when to add more.',
    unit: 'short',
    queries: [
      { expr: 'sum by (instance) (engine_database_connections{state="busy"})', legend: 'busy {{instance}}' },
      { expr: 'sum by (instance) (engine_database_waiting)', legend: 'waiting {{instance}}' },
    ],
  },
];

const MESSAGES: Shown[] = [
  {
    title: 'How late the engine is',
    description: 'Since the oldest work of each kind waits for the engine itself: docs/operate/monitor.md has the bounds.',
    unit: 's',
    red: 60,
    queries: [{ expr: rows('engine_work_wait_seconds', 'kind'), legend: '{{kind}}' }],
  },
  {
    title: 'Messages on their way',
    description: 'By state; a count stops at 10,000.',
    unit: 'short',
    queries: [{ expr: rows('engine_queue_messages', 'state'), legend: '{{state}}' }],
  },
  {
    title: 'How long messages wait',
    description: 'Since the oldest is due. Queued ones wait for their pace, their session or their turn.',
    unit: 's',
    queries: [
      { expr: rows('engine_queue_age_seconds', 'state'), legend: '{{state}}' },
      { expr: rows('engine_oldest_sending_age_seconds'), legend: 'sending' },
    ],
  },
  {
    title: 'Answers that the agent owes',
    description: 'Messages that it has not answered yet, and conversations that it owes to people.',
    unit: 'short',
    queries: [
      { expr: rows('engine_agent_owed_messages'), legend: 'messages' },
      { expr: rows('engine_agent_owed_to_people'), legend: 'owed to people' },
    ],
  },
  {
    title: 'How long the agent has owed an answer',
    description: 'Since the oldest message that it has not answered.',
    unit: 's',
    red: 300,
    queries: [{ expr: rows('engine_agent_owed_age_seconds'), legend: 'oldest' }],
  },
  {
    title: 'What became of sends',
    description: 'Calls to the backend, by what their answer proves.',
    unit: 'cps',
    queries: [{ expr: rate('engine_sends_total', 'outcome'), legend: '{{outcome}}' }],
  },
  {
    title: 'Lag of the dispatcher (p95)',
    description: 'From when a promise might go to Temporal until a process took it, by priority.',
    unit: 's',
    queries: [{ expr: quantile(0.95, 'engine_dispatch_lag_seconds', 'priority'), legend: '{{priority}}' }],
  },
  {
    title: 'Promises that wait',
    description: 'Since the oldest was made. It grows while Temporal is away.',
    unit: 's',
    red: 60,
    queries: [{ expr: rows('engine_dispatch_age_seconds', 'priority'), legend: '{{priority}}' }],
  },
  {
    title: 'What waits for a repair',
    description: 'Above 0 for long it needs an operator: docs/operate/monitor.md.',
    unit: 'short',
    queries: [
      { expr: rows('engine_parked_dispatches'), legend: 'parked promises' },
      { expr: rows('engine_parked_backend_events'), legend: 'parked events' },
      { expr: rows('engine_parked_own_messages'), legend: 'own messages' },
      { expr: rows('engine_stuck_workflows'), legend: 'stuck workflows' },
      { expr: rows('engine_open_gaps'), legend: 'gaps' },
      { expr: rows('engine_unfit_rows'), legend: 'unreadable configuration' },
      { expr: rows('engine_missing_contents'), legend: 'messages without content' },
      { expr: rows('engine_unknown_reports'), legend: 'unknown reports' },
    ],
  },
];

const NETWORK: Shown[] = [
  {
    title: 'Sessions that work',
    description: 'By backend; the line of all is above it while some do not.',
    unit: 'short',
    queries: [
      { expr: rows('engine_backend_working_sessions', 'backend'), legend: '{{backend}} working' },
      { expr: rows('engine_backend_sessions', 'backend'), legend: '{{backend}} all' },
      { expr: rows('engine_backend_silent_sessions', 'backend'), legend: '{{backend}} silent' },
    ],
  },
  {
    title: 'Requests to backends (p95)',
    description: 'By what became of them.',
    unit: 's',
    queries: [{ expr: quantile(0.95, 'engine_backend_request_duration_seconds', 'outcome'), legend: '{{outcome}}' }],
  },
  {
    title: 'Events that wait',
    description:
      'Events of the backend that are not applied, those that wait for a file, and overdue readings of the past.',
    unit: 's',
    red: 60,
    queries: [
      { expr: rows('engine_unapplied_backend_event_age_seconds'), legend: 'not applied' },
      { expr: rows('engine_oldest_held_event_age_seconds'), legend: 'held for a file' },
      { expr: rows('engine_history_sync_overdue_seconds'), legend: 'history overdue' },
    ],
  },
];

const WEBHOOKS: Shown[] = [
  {
    title: 'From event to receiver',
    description: 'The time until an endpoint took an event.',
    unit: 's',
    queries: [0.5, 0.95].map((part) => ({
      expr: quantile(part, 'engine_webhook_lag_seconds'),
      legend: `p${part * 100}`,
    })),
  },
  {
    title: 'Attempts',
    description: 'By what became of them.',
    unit: 'cps',
    queries: [{ expr: rate('engine_webhook_attempts_total', 'class'), legend: '{{class}}' }],
  },
  {
    title: 'Endpoints that fail',
    description: 'Breakers that are not closed, and deliveries that wait; a count stops at 10,000.',
    unit: 'short',
    queries: [
      { expr: rows('engine_webhook_endpoints_failing', 'breaker'), legend: 'breaker {{breaker}}' },
      { expr: rows('engine_webhook_deliveries_pending'), legend: 'deliveries' },
    ],
  },
];

const AGENT: Shown[] = [
  {
    title: 'Requests to models',
    description: 'By model and by what became of them.',
    unit: 'reqps',
    queries: [{ expr: rate('engine_ai_requests_total', 'model, outcome'), legend: '{{model}} {{outcome}}' }],
  },
  {
    title: 'Time of a model (p95)',
    description: 'From the request until its answer was read.',
    unit: 's',
    queries: [{ expr: quantile(0.95, 'engine_ai_request_duration_seconds', 'model'), legend: '{{model}}' }],
  },
  {
    title: 'Tokens and cost',
    description: 'Tokens a second, and what an hour costs in the currency of LLM_MODELS.',
    unit: 'short',
    queries: [
      { expr: rate('engine_ai_tokens_total', 'kind'), legend: '{{kind}} tokens/s' },
      { expr: 'sum(increase(engine_ai_cost_total[1h]))', legend: 'cost of an hour' },
    ],
  },
];

const PROCESSES: Shown[] = [
  {
    title: 'Processors',
    description: 'Of each process; above 0.6 it is time for another (docs/operate/scale.md).',
    unit: 'percentunit',
    red: 0.6,
    queries: [{ expr: rate('process_cpu_seconds_total', 'instance'), legend: '{{instance}}' }],
  },
  {
    title: 'Memory',
    description: 'Of each process.',
    unit: 'bytes',
    queries: [{ expr: 'sum by (instance) (process_resident_memory_bytes)', legend: '{{instance}}' }],
  },
  {
    title: 'Slots of workers in use',
    description: "Of Temporal's SDK. Those of workflow tasks follow the processor.",
    unit: 'short',
    queries: [
      {
        expr: 'sum by (task_queue, worker_type) (temporal_worker_task_slots_used)',
        legend: '{{task_queue}} {{worker_type}}',
      },
    ],
  },
];

export const DASHBOARD = {
  title: 'Messaging automation engine',
  uid: 'messaging-engine',
  tags: ['messaging-engine'],
  schemaVersion: 39,
  editable: true,
  timezone: 'browser',
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: { list: [{ name: 'source', type: 'datasource', label: 'Prometheus', query: 'prometheus' }] },
  panels: setOut([
    { title: 'Requests', panels: REQUESTS },
    { title: 'Messages', panels: MESSAGES },
    { title: 'Network', panels: NETWORK },
    { title: 'Webhooks', panels: WEBHOOKS },
    { title: 'Agent', panels: AGENT },
    { title: 'Processes', panels: PROCESSES },
  ]),
} satisfies Dashboard;

if (import.meta.main) {
  // The check of formats reads this file, too.
  writeFileSync(DASHBOARD_FILE, await format(JSON.stringify(DASHBOARD), { parser: 'json', printWidth: 120 }));
}
