import type { RepairState } from '../../db/repair.ts';
import { createBriefCache } from './brief-cache.ts';
import type { HealthCheck } from './health.ts';
import { SAME_SCRAPE_MS } from './metrics/repair-gauges.ts';

/** The schedule reconciles each half minute, and workers reconcile by themselves after three minutes without it. */
const RECONCILE_LATE_S = 5 * 60;
/** Every uncertain outcome is settled well before this, so an older one means that a repair does not work. */
const SENDING_LATE_S = 15 * 60;
const UNAPPLIED_LATE_S = 60;

/**
 * Says whether repairs work, by the rows that all processes write. The check is never required, because a process that
 * is taken out of service for it would accept nothing and repair nothing.
 */
export function repairCheck(read: () => Promise<RepairState>): HealthCheck {
  const readOnce = createBriefCache({ maxAgeMs: SAME_SCRAPE_MS, maxEntries: 1 }, read);
  return {
    name: 'repairs',
    required: false,
    async check() {
      const state = await readOnce('');
      const reasons = reasonsOf(state);
      return { reason: reasons.length === 0 ? null : reasons.join('; '), details: { ...state } };
    },
  };
}

function reasonsOf(state: RepairState): string[] {
  const reasons: string[] = [];
  const { reconcileAgeSeconds, oldestSendingSeconds, unappliedBackendEventSeconds } = state;
  if (reconcileAgeSeconds === null || reconcileAgeSeconds > RECONCILE_LATE_S) {
    reasons.push('nothing reconciles the rows: is a worker running?');
  }
  if ((oldestSendingSeconds ?? 0) > SENDING_LATE_S) reasons.push('the outcome of a send is unknown for long');
  if ((unappliedBackendEventSeconds ?? 0) > UNAPPLIED_LATE_S) reasons.push('events of the backend wait to be applied');
  if (state.stuckWorkflows > 0) reasons.push('workflows do not go on although they are promised again and again');
  if (state.parkedDispatches > 0) reasons.push('promises are parked');
  if (state.parkedBackendEvents > 0) reasons.push('events of the backend are parked');
  const failing = state.stepFailures.filter(({ isFailing }) => isFailing).map(({ step }) => step);
  if (failing.length > 0) reasons.push(`steps of the reconcile fail: ${failing.join(', ')}`);
  return reasons;
}
