import type { Registry } from 'prom-client';
import { createBriefCache } from '../brief-cache.ts';
import { registerGauge } from './registry.ts';

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
