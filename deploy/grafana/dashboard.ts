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
    description: 'By class of the response.',
    unit: 'reqps',
    queries: [{ expr: rate('engine_http_request_duration_seconds_count', 'class'), legend: '{{class}}' }],
  },
  {
    title: 'Request latency',
    description: 'Without event streams.',
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
    title: 'Latency of dependencies',
    description: 'Database, Temporal and backends, from the slowest API process.',
    unit: 's',
    queries: [{ expr: rows('engine_dependency_answer_seconds', 'kind'), legend: '{{kind}}' }],
  },
  {
    title: 'Connections to PostgreSQL',
    description: 'Busy connections, and statements that wait for one: docs/operate/database.md.',
    unit: 'short',
    queries: [
      { expr: 'sum by (instance) (engine_database_connections{state="busy"})', legend: 'busy {{instance}}' },
      { expr: 'sum by (instance) (engine_database_waiting)', legend: 'waiting {{instance}}' },
    ],
  },
];

const MESSAGES: Shown[] = [
  {
    title: 'Late work',
    description: 'Age of the oldest work that the engine itself delays. Limits: docs/operate/monitor.md.',
    unit: 's',
    red: 60,
    queries: [{ expr: rows('engine_work_wait_seconds', 'kind'), legend: '{{kind}}' }],
  },
  {
    title: 'Unfinished messages',
    description: 'By state; a count stops at 10,000.',
    unit: 'short',
    queries: [{ expr: rows('engine_queue_messages', 'state'), legend: '{{state}}' }],
  },
  {
    title: 'Message wait',
    description: 'Age of the oldest message. Queued messages wait for a pace, a session or their turn.',
    unit: 's',
    queries: [
      { expr: rows('engine_queue_age_seconds', 'state'), legend: '{{state}}' },
      { expr: rows('engine_oldest_sending_age_seconds'), legend: 'sending' },
    ],
  },
  {
    title: 'Answers that the agent owes',
    description: 'Unanswered messages, and conversations handed to people.',
    unit: 'short',
    queries: [
      { expr: rows('engine_agent_owed_messages'), legend: 'messages' },
      { expr: rows('engine_agent_owed_to_people'), legend: 'owed to people' },
    ],
  },
  {
    title: 'Oldest owed answer',
    description: 'Age of the oldest unanswered message.',
    unit: 's',
    red: 300,
    queries: [{ expr: rows('engine_agent_owed_age_seconds'), legend: 'oldest' }],
  },
  {
    title: 'Send outcomes',
    description: 'Calls to the backend, by outcome.',
    unit: 'cps',
    queries: [{ expr: rate('engine_sends_total', 'outcome'), legend: '{{outcome}}' }],
  },
  {
    title: 'Dispatch lag (p95)',
    description: 'Wait of a due dispatch until a process took it, by priority.',
    unit: 's',
    queries: [{ expr: quantile(0.95, 'engine_dispatch_lag_seconds', 'priority'), legend: '{{priority}}' }],
  },
  {
    title: 'Waiting dispatches',
    description: 'Age of the oldest. It grows while Temporal is down.',
    unit: 's',
    red: 60,
    queries: [{ expr: rows('engine_dispatch_age_seconds', 'priority'), legend: '{{priority}}' }],
  },
  {
    title: 'Waiting repairs',
    description: 'Values that stay above 0 need you: docs/operate/runbooks/.',
    unit: 'short',
    queries: [
      { expr: rows('engine_parked_dispatches'), legend: 'parked dispatches' },
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
    title: 'Working sessions',
    description: 'By backend, with all sessions for comparison.',
    unit: 'short',
    queries: [
      { expr: rows('engine_backend_working_sessions', 'backend'), legend: '{{backend}} working' },
      { expr: rows('engine_backend_sessions', 'backend'), legend: '{{backend}} all' },
      { expr: rows('engine_backend_silent_sessions', 'backend'), legend: '{{backend}} silent' },
    ],
  },
  {
    title: 'Backend latency (p95)',
    description: 'By outcome.',
    unit: 's',
    queries: [{ expr: quantile(0.95, 'engine_backend_request_duration_seconds', 'outcome'), legend: '{{outcome}}' }],
  },
  {
    title: 'Waiting events',
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
    title: 'Webhook latency',
    description: 'Time from an event until its endpoint accepts it.',
    unit: 's',
    queries: [0.5, 0.95].map((part) => ({
      expr: quantile(part, 'engine_webhook_lag_seconds'),
      legend: `p${part * 100}`,
    })),
  },
  {
    title: 'Webhook attempts',
    description: 'By outcome.',
    unit: 'cps',
    queries: [{ expr: rate('engine_webhook_attempts_total', 'class'), legend: '{{class}}' }],
  },
  {
    title: 'Failing endpoints',
    description: 'Open breakers and waiting deliveries; a count stops at 10,000.',
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
    description: 'By model and outcome.',
    unit: 'reqps',
    queries: [{ expr: rate('engine_ai_requests_total', 'model, outcome'), legend: '{{model}} {{outcome}}' }],
  },
  {
    title: 'Model latency (p95)',
    description: 'Time from a request until its full answer.',
    unit: 's',
    queries: [{ expr: quantile(0.95, 'engine_ai_request_duration_seconds', 'model'), legend: '{{model}}' }],
  },
  {
    title: 'Tokens and cost',
    description: 'Tokens a second, and cost an hour in the currency of LLM_MODELS.',
    unit: 'short',
    queries: [
      { expr: rate('engine_ai_tokens_total', 'kind'), legend: '{{kind}} tokens/s' },
      { expr: 'sum(increase(engine_ai_cost_total[1h]))', legend: 'cost of an hour' },
    ],
  },
];

const PROCESSES: Shown[] = [
  {
    title: 'CPU',
    description: 'By process. Above 0.6, add one (docs/operate/scale.md).',
    unit: 'percentunit',
    red: 0.6,
    queries: [{ expr: rate('process_cpu_seconds_total', 'instance'), legend: '{{instance}}' }],
  },
  {
    title: 'Memory',
    description: 'By process.',
    unit: 'bytes',
    queries: [{ expr: 'sum by (instance) (process_resident_memory_bytes)', legend: '{{instance}}' }],
  },
  {
    title: 'Worker slots in use',
    description: "From Temporal's SDK. Slots of workflow tasks follow the CPU.",
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
