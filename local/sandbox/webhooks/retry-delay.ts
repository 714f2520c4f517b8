import type { WebhookConfig } from '../state/session-settings.ts';
import type { Random } from '../random.ts';

/**
 * Returns the wait before retry `attempt` (1 is the first): the longer of the policy's wait and the receiver's
 * Retry-After.
 */
export function retryDelayMs(config: WebhookConfig, attempt: number, retryAfterS: number, random: Random): number {
  const base = (config.retries?.delaySeconds ?? 2) * 1000;
  return Math.max(byPolicy(config.retries?.policy ?? 'constant', base, attempt, random), retryAfterS * 1000);
}

function byPolicy(policy: string, base: number, attempt: number, random: Random): number {
  if (policy === 'linear') return base * attempt;
  if (policy === 'exponential') return base * 2 ** attempt * (1 + random() * 0.2);
  return base;
}

export const attemptsOf = (config: WebhookConfig): number => config.retries?.attempts ?? 15;
