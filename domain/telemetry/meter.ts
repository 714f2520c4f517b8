import type { CounterName, HistogramName, LabelsOf } from './metrics.ts';

/** Keeps what the process counts and measures. */
export interface Meter {
  count(name: CounterName, labels: Readonly<Record<string, string>>, by: number): void;
  observe(name: HistogramName, labels: Readonly<Record<string, string>>, value: number): void;
}

let meter: Meter | undefined;

/**
 * Makes the meter of this process. There is one, because whoever measures is deep below whoever shows it; until then
 * nothing is kept.
 */
export function useMeter(used: Meter): void {
  meter = used;
}

export function count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by = 1): void {
  meter?.count(name, labels, by);
}

export function observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void {
  // Skip values that are no numbers, because the meter would throw into the measured work.
  if (Number.isFinite(value)) meter?.observe(name, labels, value);
}
