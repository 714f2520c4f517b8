import type { Registry } from 'prom-client';
import type { QueueState } from '../../../db/operations/queue-state.ts';
import type { RepairState } from '../../../db/repair.ts';
import type { BackendState } from '../../../db/sessions/backend-state.ts';
import type { AgencySpending } from '../../../db/tenants/limits.ts';
import { registerBackendGauges } from './backend-gauges.ts';
import { registerQueueGauges } from './queue-gauges.ts';
import { registerRepairGauges } from './repair-gauges.ts';
import type { AgencyStorage } from '../../../db/media/storage.ts';
import { registerStorageGauges } from './storage-gauges.ts';
import { registerUnfitGauge } from './unfit-gauge.ts';
import { registerSpendingGauges } from './spending-gauges.ts';

/** How the numbers that all processes share are read from the rows, once for each scrape. */
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
