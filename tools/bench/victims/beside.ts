import type { Result } from '../result.ts';
import { percentile, round } from '../statistics.ts';

/** A misbehaving tenant may slow others down by at most this factor. */
const WITHIN = 1.5;

/** Compares the times of others beside somebody who misbehaves with their times alone. */
export function besideRow(path: string, beside: readonly number[], alone: readonly number[], more = ''): Result {
  const ratio = percentile(beside, 0.95) / percentile(alone, 0.95);
  return {
    path,
    measured: `${describeTimes(beside)}${more}`,
    baseline: `alone ${describeTimes(alone)}`,
    ratio,
    aim: `≤ ${WITHIN}`,
    met: ratio <= WITHIN,
  };
}

export function describeTimes(samples: readonly number[]): string {
  return `p50 ${round(percentile(samples, 0.5))} ms, p95 ${round(percentile(samples, 0.95))} ms (${samples.length})`;
}
