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

/** The names that are remembered. The one that was quiet longest is forgotten first. */
const MAX_NAMES = 10_000;

/** The levels of many names under one rate, such as of networks. Each process counts for itself. */
export class Levels {
  readonly #rate: Rate;
  readonly #nowMs: () => number;
  readonly #levels = new Map<string, Level>();

  constructor(rate: Rate, nowMs: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#nowMs = nowMs;
  }

  /** Takes units of a name, and returns 0. If too few are there, it takes none and returns the milliseconds to wait. */
  take(name: string, cost = 1): number {
    if (!isLimited(this.#rate)) return 0;
    const atMs = this.#nowMs();
    const level = refilled(this.#levels.get(name) ?? { units: this.#rate.burst, atMs }, this.#rate, atMs);
    if (!affords(level, this.#rate, cost)) return untilMs(level, this.#rate, cost);
    // The map keeps its order of insertion, so the entry is deleted first to become the youngest.
    this.#levels.delete(name);
    this.#levels.set(name, { ...level, units: level.units - Math.min(cost, this.#rate.burst) });
    for (const [oldest] of this.#levels) {
      if (this.#levels.size <= MAX_NAMES) break;
      this.#levels.delete(oldest);
    }
    return 0;
  }
}
