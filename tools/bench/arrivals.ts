import type { Arrival } from './receivers.ts';
import { percentile, round } from './statistics.ts';
import type { Written } from './write-events.ts';

/**
 * Returns the milliseconds from each event's commit to its arrival. They can be negative, because an event may arrive
 * before its writer hears of the commit.
 */
export function agesOf(arrivals: readonly Arrival[], written: readonly Written[]): number[] {
  const committed = new Map(written.map(({ index, committedAt }) => [index, committedAt]));
  return arrivals.flatMap(({ index, at }) => {
    const committedAt = committed.get(index);
    return committedAt === undefined ? [] : [Math.max(0, at - committedAt)];
  });
}

export function describeAges(ages: readonly number[]): string {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => round(percentile(ages, share)));
  return `p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms (${ages.length})`;
}

/** Returns the rate per second between the first and the last of these times. */
export function perSecond(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const elapsedMs = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  return ((times.length - 1) * 1_000) / elapsedMs;
}
