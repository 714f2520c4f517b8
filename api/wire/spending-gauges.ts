import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { AgencySpending } from '../../db/tenants/limits.ts';
import { createBriefCache } from './brief-cache.ts';
import { SAME_SCRAPE_MS } from './repair-gauges.ts';

const MICROS = 1_000_000;
const NUMBERS: { name: string; help: string; of: (spending: AgencySpending) => number }[] = [
  {
    name: 'engine_ai_tokens_today',
    help: 'Tokens that models have used since midnight UTC.',
    of: ({ tokens }) => tokens,
  },
  {
    name: 'engine_ai_cost_today',
    help: 'What models have cost since midnight UTC, in the currency of LLM_MODELS.',
    of: ({ costMicros }) => costMicros / MICROS,
  },
];

/** Shows what models have used and cost today for each agency, so that an alarm can be set on it. */
export function registerSpendingGauges(
  registry: Registry,
  read: () => Promise<readonly AgencySpending[]>,
  onError: (error: unknown) => void,
): void {
  const readOnce = createBriefCache({ maxAgeMs: SAME_SCRAPE_MS, maxEntries: 1 }, read);
  for (const { name, help, of } of NUMBERS) {
    new Gauge({
      name,
      help,
      labelNames: ['agency'],
      registers: [registry],
      async collect() {
        this.reset();
        try {
          for (const each of await readOnce('')) this.set({ agency: each.agencyId }, of(each));
        } catch (error) {
          onError(error);
        }
      },
    });
  }
}
