import type { Registry } from 'prom-client';
import type { RepairState } from '../../../db/repair.ts';
import type { GaugeName } from '../../../domain/telemetry/metrics.ts';
import { createBriefCache } from '../brief-cache.ts';
import { registerGauge } from './registry.ts';

/** All gauges of one scrape share one read, and so does the health page, which everybody may ask. */
export const SAME_SCRAPE_MS = 1_000;

const NUMBERS: { name: GaugeName; of: (state: RepairState) => number | null }[] = [
  {
    name: 'engine_reconcile_age_seconds',
    of: ({ reconcileAgeSeconds }) => reconcileAgeSeconds,
  },
  {
    name: 'engine_oldest_sending_age_seconds',
    of: ({ oldestSendingSeconds }) => oldestSendingSeconds ?? 0,
  },
  {
    name: 'engine_unapplied_backend_event_age_seconds',
    of: ({ unappliedBackendEventSeconds }) => unappliedBackendEventSeconds ?? 0,
  },
  {
    name: 'engine_oldest_held_event_age_seconds',
    of: ({ oldestHeldEventSeconds }) => oldestHeldEventSeconds ?? 0,
  },
  {
    name: 'engine_media_fetches',
    of: ({ mediaFetches }) => mediaFetches,
  },
  {
    name: 'engine_parked_dispatches',
    of: ({ parkedDispatches }) => parkedDispatches,
  },
  {
    name: 'engine_parked_backend_events',
    of: ({ parkedBackendEvents }) => parkedBackendEvents,
  },
  {
    name: 'engine_parked_own_messages',
    of: ({ parkedOwnMessages }) => parkedOwnMessages,
  },
  {
    name: 'engine_unknown_reports',
    of: ({ unknownReports }) => unknownReports,
  },
  {
    name: 'engine_missing_contents',
    of: ({ missingContents }) => missingContents,
  },
  {
    name: 'engine_open_gaps',
    of: ({ openGaps }) => openGaps,
  },
  {
    name: 'engine_stuck_workflows',
    of: ({ stuckWorkflows }) => stuckWorkflows,
  },
];

/**
 * Shows how much waits for a repair. The numbers come from the rows, so every API process shows them, and workers need
 * not.
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
  for (const { name, of } of NUMBERS) {
    registerGauge(registry, name, async (gauge) => {
      const now = await state();
      const value = now === undefined ? null : of(now);
      if (value === null) gauge.remove();
      else gauge.set(value);
    });
  }
  registerGauge(registry, 'engine_reconcile_step_failures', async (gauge) => {
    gauge.reset();
    for (const { step, failures } of (await state())?.stepFailures ?? []) gauge.set({ step }, failures);
  });
}
