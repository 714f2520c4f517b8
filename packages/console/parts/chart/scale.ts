/** The arithmetic of charts: what the axis says, and where a value stands. */

const STEPS = [1, 2, 5, 10];

/** Round numbers from 0 up to or above the greatest, about as many as asked for. Whole ones where all values are. */
export const ticksOf = (greatest: number, wanted = 4, isWhole = true): number[] => {
  const top = Number.isFinite(greatest) && greatest > 0 ? greatest : 1;
  const rough = top / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = (STEPS.find((step) => step * power >= rough) ?? 10) * power;
  const step = isWhole ? Math.max(1, Math.round(nice)) : nice;
  const count = Math.ceil(top / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, place) => Number((place * step).toPrecision(12)));
};

export interface Slot {
  x: number;
  width: number;
}

/** The places of `count` groups of `series` bars beside each other, with a gap between groups. */
export const slotsOf = (count: number, series: number, width: number): Slot[][] => {
  const group = width / Math.max(count, 1);
  const bar = Math.min((group * 0.8) / Math.max(series, 1), 24);
  const indent = (group - bar * series) / 2;
  return Array.from({ length: count }, (_, place) =>
    Array.from({ length: series }, (__, which) => ({ x: place * group + indent + which * bar, width: bar })),
  );
};

/** Returns the height of a bar. A small value stays visible beside a large one. */
export const heightOf = (value: number, top: number, height: number): number =>
  value > 0 && top > 0 ? Math.max(Math.min(value / top, 1) * height, 2) : 0;

/** Which labels of an axis are shown, so that they do not meet: every n-th, the first always. */
export const labelEvery = (count: number, most: number): number => Math.max(1, Math.ceil(count / Math.max(most, 1)));

/** The middle of numbers, and what 95 of 100 stay below; null of none. */
export const spreadOf = (values: readonly number[]): { middle: number; high: number; most: number } | null => {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return sorted.length === 0 ? null : { middle: at(0.5), high: at(0.95), most: at(1) };
};
