import type { RepairState } from '../../db/repair.ts';
import { REPAIR_LATE_S } from '../../domain/operations/delays.ts';
import { createBriefCache } from './brief-cache.ts';
import type { HealthCheck } from './health.ts';
import { SAME_SCRAPE_MS } from './metrics/repair-gauges.ts';

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
  if (reconcileAgeSeconds === null || reconcileAgeSeconds > REPAIR_LATE_S.reconcile) {
    reasons.push('nothing reconciles the rows: is a worker running?');
  }
  if ((oldestSendingSeconds ?? 0) > REPAIR_LATE_S.sending) reasons.push('the outcome of a send is unknown for long');
  if ((unappliedBackendEventSeconds ?? 0) > REPAIR_LATE_S.unapplied) {
    reasons.push('events of the backend wait to be applied');
  }
  if (state.stuckWorkflows > 0) reasons.push('executions are stuck although the engine restarts them');
  if (state.parkedDispatches > 0) reasons.push('promises are parked');
  if (state.parkedBackendEvents > 0) reasons.push('events of the backend are parked');
  const failing = state.stepFailures.filter(({ isFailing }) => isFailing).map(({ step }) => step);
  if (failing.length > 0) reasons.push(`steps of the reconcile fail: ${failing.join(', ')}`);
  return reasons;
}
