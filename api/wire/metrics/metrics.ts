import { Registry, collectDefaultMetrics } from 'prom-client';
import type { Counter, Histogram } from 'prom-client';
import type { Meter } from '../../../domain/telemetry/meter.ts';
import type { Logger } from '../logger.ts';
import type { CounterName, HistogramName } from '../../../domain/telemetry/metrics.ts';
import { registerCounter, registerHistogram } from './registry.ts';

export interface Metrics {
  registry: Registry;
  meter: Meter;
}

/** Numbers that another source shows at a scrape, such as Temporal's SDK. */
export type ExtraMetrics = () => Promise<string>;

/**
 * Makes the metrics of one app, with a registry of its own, because a process may hold several apps. At most one of
 * these may have `processMetrics`.
 */
export function createMetrics(options: { processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.processMetrics === true) collectDefaultMetrics({ register: registry });
  return { registry, meter: createMeter(registry) };
}

/** Tells the meter of a request that was answered. */
export function noteRequest(
  { meter }: Metrics,
  { method, route, status, ms }: { method: string; route: string; status: number; ms: number },
): void {
  meter.count('engine_http_requests_total', { method, route, status: String(status) }, 1);
  const labels = { method, route, class: `${Math.floor(status / 100)}xx` };
  meter.observe('engine_http_request_duration_seconds', labels, ms / 1_000);
}

/** The engine's numbers, followed by those of another source; when that one fails, a comment takes their place. */
export async function metricsText(
  { registry }: Pick<Metrics, 'registry'>,
  extraMetrics: ExtraMetrics | undefined,
  log: Pick<Logger, 'warn'>,
): Promise<string> {
  const own = await registry.metrics();
  if (extraMetrics === undefined) return own;
  try {
    return `${own}\n${await extraMetrics()}`;
  } catch (error) {
    log.warn({ err: error }, 'extra metrics could not be read');
    return `${own}\n# extra metrics could not be read\n`;
  }
}

/** Makes a meter that keeps what it is told in the registry; a metric is shown from the first time on. */
function createMeter(registry: Registry): Meter {
  const counters = new Map<CounterName, Counter>();
  const histograms = new Map<HistogramName, Histogram>();
  return {
    count(name, labels, by) {
      const counter = counters.get(name) ?? registerCounter(registry, name);
      counters.set(name, counter);
      counter.inc(labels, by);
    },
    observe(name, labels, value) {
      const histogram = histograms.get(name) ?? registerHistogram(registry, name);
      histograms.set(name, histogram);
      histogram.observe(labels, value);
    },
  };
}
