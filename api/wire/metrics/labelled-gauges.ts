import type { Registry } from 'prom-client';
import type { GaugeName } from '../../../domain/telemetry/metrics.ts';
import { createBriefCache } from '../brief-cache.ts';
import { registerGauge } from './registry.ts';
import { SAME_SCRAPE_MS } from './repair-gauges.ts';

/** A number that is shown for each of several, with what tells them apart. */
export interface LabelledNumber<Each> {
  name: GaugeName;
  of: (each: Each) => number;
}

/** Registers gauges that have a value for each of several, such as agencies. All of one scrape share one read. */
export function registerLabelledGauges<Each>(
  { registry, onError }: { registry: Registry; onError: (error: unknown) => void },
  shown: {
    label: string;
    valueOf: (each: Each) => string;
    numbers: readonly LabelledNumber<Each>[];
    read: () => Promise<readonly Each[]>;
  },
): void {
  const { label, valueOf, numbers, read } = shown;
  const readOnce = createBriefCache({ maxAgeMs: SAME_SCRAPE_MS, maxEntries: 1 }, read);
  for (const { name, of } of numbers) {
    registerGauge(registry, name, async (gauge) => {
      gauge.reset();
      try {
        for (const each of await readOnce('')) gauge.set({ [label]: valueOf(each) }, of(each));
      } catch (error) {
        onError(error);
      }
    });
  }
}
