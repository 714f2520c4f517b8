import type { Logger } from '../../api/wire/logger.ts';
import { createMetrics } from '../../api/wire/metrics/metrics.ts';
import { serveMetrics } from '../../api/wire/metrics/listener.ts';
import type { MetricsAddress, MetricsListener } from '../../api/wire/metrics/listener.ts';
import { registerPoolGauges } from '../../api/wire/metrics/waiting-gauges.ts';
import type { Database } from '../../db/engine/database.ts';
import { useMeter } from '../../domain/telemetry/meter.ts';
import { readMetrics } from './temporal-metrics.ts';

/** Serves the metrics of a worker: its own numbers, and those that Temporal's SDK shows at an address of its own. */
export function serveWorkerMetrics(
  address: MetricsAddress,
  { database, temporalAddress, log }: { database: Pick<Database, 'pool'>; temporalAddress: string; log: Logger },
): Promise<MetricsListener> {
  const metrics = createMetrics({ processMetrics: true });
  useMeter(metrics.meter);
  registerPoolGauges(metrics.registry, () => database.pool);
  return serveMetrics(address, { metrics, extraMetrics: () => readMetrics(temporalAddress), log });
}
