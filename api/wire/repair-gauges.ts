import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { RepairState } from '../../db/repair.ts';
import { createBriefCache } from './brief-cache.ts';

/** All gauges of one scrape share one read, and so does the health page, which everybody may ask. */
export const SAME_SCRAPE_MS = 1_000;

const NUMBERS: { name: string; help: string; of: (state: RepairState) => number | null }[] = [
  {
    name: 'engine_reconcile_age_seconds',
    help: 'Since the rows were last reconciled, by any worker; it should stay below a minute.',
    of: ({ reconcileAgeSeconds }) => reconcileAgeSeconds,
  },
  {
    name: 'engine_oldest_sending_age_seconds',
    help: 'Since the claim of the oldest message whose outcome is not known.',
    of: ({ oldestSendingSeconds }) => oldestSendingSeconds ?? 0,
  },
  {
    name: 'engine_unapplied_backend_event_age_seconds',
    help: 'Since the oldest event of the backend came that is not applied.',
    of: ({ unappliedBackendEventSeconds }) => unappliedBackendEventSeconds ?? 0,
  },
  {
    name: 'engine_oldest_held_event_age_seconds',
    help: "Since the oldest event is held that waits for a message's file; it should stay below half a minute.",
    of: ({ oldestHeldEventSeconds }) => oldestHeldEventSeconds ?? 0,
  },
  {
    name: 'engine_media_fetches',
    help: 'Files of contacts that are being fetched from the backend.',
    of: ({ mediaFetches }) => mediaFetches,
  },
  {
    name: 'engine_parked_dispatches',
    help: 'Promises that Temporal refused for good.',
    of: ({ parkedDispatches }) => parkedDispatches,
  },
  {
    name: 'engine_parked_backend_events',
    help: 'Events of the backend that could not be applied.',
    of: ({ parkedBackendEvents }) => parkedBackendEvents,
  },
  {
    name: 'engine_parked_own_messages',
    help: 'Messages of the account that are not known to be a send of ours, or a person on the phone.',
    of: ({ parkedOwnMessages }) => parkedOwnMessages,
  },
  {
    name: 'engine_stuck_workflows',
    help: 'Workflows that were promised three times and more without their row having moved.',
    of: ({ stuckWorkflows }) => stuckWorkflows,
  },
];

/**
 * Shows how much waits for a repair. The numbers come from the rows, so every API process shows them, and workers,
 * which have no port, need not.
 */
export function registerRepairGauges(
  registry: Registry,
  read: () => Promise<RepairState>,
  onError: (error: unknown) => void,
): void {
  const readOnce = createBriefCache({ maxAgeMs: SAME_SCRAPE_MS, maxEntries: 1 }, read);
  /** Undefined when the database cannot be read: the gauges then show no number rather than an old one. */
  const state = async (): Promise<RepairState | undefined> =>
    readOnce('').catch((error: unknown) => {
      onError(error);
      return undefined;
    });
  for (const { name, help, of } of NUMBERS) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const now = await state();
        const value = now === undefined ? null : of(now);
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }
  new Gauge({
    name: 'engine_reconcile_step_failures',
    help: 'How often a step of the reconcile has failed, by its name.',
    labelNames: ['step'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { step, failures } of (await state())?.stepFailures ?? []) this.set({ step }, failures);
    },
  });
}
