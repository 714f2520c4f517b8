import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { BackendState } from '../../db/sessions/backend-state.ts';
import { createBriefCache } from './brief-cache.ts';
import { SAME_SCRAPE_MS } from './repair-gauges.ts';

const NUMBERS: { name: string; help: string; of: (state: BackendState) => number }[] = [
  {
    name: 'engine_backend_down_seconds',
    help: 'Since when a messaging backend gives no list of its sessions; 0 while it does.',
    of: ({ downSince }) => (downSince === null ? 0 : Math.max(0, (Date.now() - downSince.getTime()) / 1_000)),
  },
  {
    name: 'engine_backend_sessions',
    help: 'The sessions that a messaging backend holds.',
    of: ({ sessions }) => sessions,
  },
];

/** Shows how each messaging backend is, by its id, so that an alarm can be set on it. */
export function registerBackendGauges(
  registry: Registry,
  read: () => Promise<readonly BackendState[]>,
  onError: (error: unknown) => void,
): void {
  const readOnce = createBriefCache({ maxAgeMs: SAME_SCRAPE_MS, maxEntries: 1 }, read);
  for (const { name, help, of } of NUMBERS) {
    new Gauge({
      name,
      help,
      labelNames: ['backend'],
      registers: [registry],
      async collect() {
        this.reset();
        try {
          for (const each of await readOnce('')) this.set({ backend: each.id }, of(each));
        } catch (error) {
          onError(error);
        }
      },
    });
  }
}
