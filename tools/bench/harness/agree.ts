/** A window of the warm-up. */
export interface Window {
  perSecond: number;
  /** For each unit. */
  cpuMs: number;
}

/** A warm-up ends after so many windows, also if no two agree. */
export const MAX_WINDOWS = 10;
const WITHIN = 0.1;

/** True once the last two windows have the same rate and the same cost of a unit, within a tenth. */
export function agree(windows: readonly Window[]): boolean {
  const [before, last] = windows.slice(-2);
  if (before === undefined || last === undefined) return false;
  return isNear(before.perSecond, last.perSecond) && isNear(before.cpuMs, last.cpuMs);
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= WITHIN * Math.max(one, other);
}
