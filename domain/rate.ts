/** The units of one burst, and the units that return each minute. Without units a minute, there is no limit. */
export interface Rate {
  perMinute: number;
  burst: number;
}

/** The units that were left at a time of the monotonic clock; negative when more were spent than there were. */
export interface Level {
  units: number;
  atMs: number;
}

const MINUTE_MS = 60_000;

export function isLimited({ perMinute }: Rate): boolean {
  return perMinute > 0;
}

/** Returns the level at a later time. */
export function refilled({ units, atMs }: Level, { perMinute, burst }: Rate, nowMs: number): Level {
  const back = (Math.max(0, nowMs - atMs) * perMinute) / MINUTE_MS;
  return { units: Math.min(burst, units + back), atMs: nowMs };
}

/** A request that costs more than the burst may go when all units are there. */
export function affords({ units }: Level, { burst }: Rate, cost: number): boolean {
  return units >= Math.min(cost, burst);
}

/** Returns how long it takes until this many units are there. */
export function untilMs({ units }: Level, { perMinute, burst }: Rate, wanted: number): number {
  return Math.max(0, ((Math.min(wanted, burst) - units) * MINUTE_MS) / perMinute);
}
