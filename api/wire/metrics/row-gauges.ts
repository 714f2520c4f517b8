import type { Registry } from 'prom-client';
import type { QueueState } from '../../../db/operations/queue-state.ts';
import type { RepairState } from '../../../db/repair.ts';
import type { BackendState } from '../../../db/sessions/backend-state.ts';
import type { AgencySpending } from '../../../db/tenants/limits.ts';
import { registerQueueGauges } from './queue-gauges.ts';
import { registerRepairGauges } from './repair-gauges.ts';
import type { AgencyStorage } from '../../../db/media/storage.ts';
import { registerStorageGauges } from './storage-gauges.ts';
import { registerLabelledGauges } from './labelled-gauges.ts';
import type { LabelledNumber } from './labelled-gauges.ts';
import { createBriefCache } from '../brief-cache.ts';
import { registerGauge } from './registry.ts';

/** Reads the numbers that all processes share from the rows, once for each scrape. */
interface RowNumbers {
  spending: () => Promise<readonly AgencySpending[]>;
  storage: () => Promise<readonly AgencyStorage[]>;
  repairs: () => Promise<RepairState>;
  backends: () => Promise<readonly BackendState[]>;
  queues: () => Promise<QueueState>;
  unfitRows: () => Promise<number>;
}

export function registerRowGauges(registry: Registry, read: RowNumbers, onError: (error: unknown) => void): void {
  registerSpendingGauges(registry, read.spending, onError);
  registerStorageGauges(registry, read.storage, onError);
  registerRepairGauges(registry, read.repairs, onError);
  registerBackendGauges(registry, read.backends, onError);
  registerQueueGauges(registry, read.queues, onError);
  registerUnfitGauge(registry, read.unfitRows, onError);
}

const NUMBERS: LabelledNumber<BackendState>[] = [
  {
    name: 'engine_backend_down_seconds',
    of: ({ downSince }) => (downSince === null ? 0 : Math.max(0, (Date.now() - downSince.getTime()) / 1_000)),
  },
  {
    name: 'engine_backend_sessions',
    of: ({ sessions }) => sessions,
  },
  {
    name: 'engine_backend_working_sessions',
    of: ({ working }) => working,
  },
  {
    name: 'engine_backend_silent_sessions',
    of: ({ silent }) => silent,
  },
  {
    name: 'engine_backend_session_silences',
    of: ({ silences }) => silences,
  },
];

/** Shows how each messaging backend is, by its id, so that an alarm can be set on it. */
function registerBackendGauges(
  registry: Registry,
  read: () => Promise<readonly BackendState[]>,
  onError: (error: unknown) => void,
): void {
  registerLabelledGauges({ registry, onError }, { label: 'backend', valueOf: ({ id }) => id, numbers: NUMBERS, read });
}

/** Each API process parses the rows of all tenants for this number, and they only change when a person changes them. */
const KEPT_MS = 10 * 60_000;

/** Shows how much stored configuration this release cannot read, so that somebody hears of it. */
export function registerUnfitGauge(
  registry: Registry,
  count: () => Promise<number>,
  onError: (error: unknown) => void,
): void {
  const countOnce = createBriefCache({ maxAgeMs: KEPT_MS, maxEntries: 1 }, count);
  registerGauge(registry, 'engine_unfit_rows', async (gauge) => {
    try {
      gauge.set(await countOnce(''));
    } catch (error) {
      gauge.remove();
      onError(error);
    }
  });
}

const MICROS = 1_000_000;
const SPENT: LabelledNumber<AgencySpending>[] = [
  {
    name: 'engine_ai_tokens_today',
    of: ({ tokens }) => tokens,
  },
  {
    name: 'engine_ai_cost_today',
    of: ({ costMicros }) => costMicros / MICROS,
  },
];

/** Shows what models have used and cost today for each agency, so that an alarm can be set on it. */
function registerSpendingGauges(
  registry: Registry,
  read: () => Promise<readonly AgencySpending[]>,
  onError: (error: unknown) => void,
): void {
  registerLabelledGauges(
    { registry, onError },
    { label: 'agency', valueOf: ({ agencyId }) => agencyId, numbers: SPENT, read },
  );
}
