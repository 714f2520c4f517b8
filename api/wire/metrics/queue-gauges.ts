import type { Registry } from 'prom-client';
import type { QueueState } from '../../../db/operations/queue-state.ts';
import type { GaugeName } from '../../../domain/telemetry/metrics.ts';
import { PRIORITY } from '../../../domain/names.ts';
import { createBriefCache } from '../brief-cache.ts';
import { registerGauge } from './registry.ts';
import { SAME_SCRAPE_MS } from './repair-gauges.ts';

type Shown = Readonly<Record<string, number>>;

/** The gauges with a value for each of several, with their label, and what each shows. */
const BY_LABEL: { name: GaugeName; label: string; of: (state: QueueState) => Shown }[] = [
  { name: 'engine_queue_messages', label: 'state', of: ({ messages }) => messages },
  { name: 'engine_queue_age_seconds', label: 'state', of: ({ messageSeconds }) => messageSeconds },
  { name: 'engine_dispatches_waiting', label: 'priority', of: ({ dispatches }) => byPriority(dispatches, 'waiting') },
  { name: 'engine_dispatch_age_seconds', label: 'priority', of: ({ dispatches }) => byPriority(dispatches, 'seconds') },
  { name: 'engine_webhook_endpoints_failing', label: 'breaker', of: ({ breakers }) => breakers },
];

const SINGLE: { name: GaugeName; of: (state: QueueState) => number }[] = [
  { name: 'engine_webhook_deliveries_pending', of: ({ deliveries }) => deliveries },
  { name: 'engine_webhook_oldest_pending_age_seconds', of: ({ deliverySeconds }) => deliverySeconds },
  { name: 'engine_webhook_oldest_failing_age_seconds', of: ({ failingSeconds }) => failingSeconds },
  { name: 'engine_agent_owed_messages', of: ({ owed }) => owed },
  { name: 'engine_agent_owed_age_seconds', of: ({ owedSeconds }) => owedSeconds },
  { name: 'engine_agent_owed_to_people', of: ({ owedToPeople }) => owedToPeople },
  { name: 'engine_history_syncs_overdue', of: ({ syncs }) => syncs },
  { name: 'engine_history_sync_overdue_seconds', of: ({ syncSeconds }) => syncSeconds },
];

function byPriority(dispatches: QueueState['dispatches'], shown: 'waiting' | 'seconds'): Shown {
  const found = new Map(dispatches.map((each) => [each.priority, each[shown]]));
  return Object.fromEntries(Object.entries(PRIORITY).map(([name, priority]) => [name, found.get(priority) ?? 0]));
}

/** Shows how much waits, and for how long. All gauges of one scrape share one statement. */
export function registerQueueGauges(
  registry: Registry,
  read: () => Promise<QueueState>,
  onError: (error: unknown) => void,
): void {
  const readOnce = createBriefCache({ maxAgeMs: SAME_SCRAPE_MS, maxEntries: 1 }, read);
  /** Shows no number rather than an old one when the database cannot be read. */
  const register = (name: GaugeName, show: (state: QueueState) => [Record<string, string>, number][]): void =>
    registerGauge(registry, name, async (gauge) => {
      gauge.reset();
      try {
        for (const [labels, value] of show(await readOnce(''))) gauge.set(labels, value);
      } catch (error) {
        gauge.remove();
        onError(error);
      }
    });
  for (const { name, label, of } of BY_LABEL) {
    register(name, (state) => Object.entries(of(state)).map(([value, number]) => [{ [label]: value }, number]));
  }
  for (const { name, of } of SINGLE) register(name, (state) => [[{}, of(state)]]);
}
