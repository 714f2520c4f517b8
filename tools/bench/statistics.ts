/** Returns the value below which `share` of all samples lie; 0 without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
