import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Metric } from '../../../domain/telemetry/metric.ts';
import { METRICS } from '../../../domain/telemetry/metrics.ts';
import type { CounterName, GaugeName, HistogramName, MetricName } from '../../../domain/telemetry/metrics.ts';

/** Registers metrics as the one table defines them. */
function definition(name: MetricName, registry: Registry) {
  const { help, labels }: Metric = METRICS[name];
  return { name, help, labelNames: Object.keys(labels), registers: [registry] };
}

export function registerCounter(registry: Registry, name: CounterName): Counter {
  return new Counter(definition(name, registry));
}

export function registerHistogram(registry: Registry, name: HistogramName): Histogram {
  const { buckets } = METRICS[name];
  return new Histogram({ ...definition(name, registry), buckets: [...buckets] });
}

/** `collect` sets the gauge anew at each scrape. */
export function registerGauge(
  registry: Registry,
  name: GaugeName,
  collect: (gauge: Gauge) => void | Promise<void>,
): void {
  new Gauge({
    ...definition(name, registry),
    collect() {
      return collect(this);
    },
  });
}
