import type { Counter, Histogram, Registry } from 'prom-client';
import type { Meter } from '../../../domain/telemetry/meter.ts';
import type { CounterName, HistogramName } from '../../../domain/telemetry/metrics.ts';
import { registerCounter, registerHistogram } from './registry.ts';

/** Makes a meter that keeps what it is told in the registry; a metric is shown from the first time on. */
export function createMeter(registry: Registry): Meter {
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
