import { EngineError } from '../../domain/error.ts';
import { affords, refilled, untilMs } from '../../domain/rate.ts';
import type { Level, Rate } from '../../domain/rate.ts';

/** The addresses that are remembered. The one that was quiet longest is forgotten first. */
const MAX_ADDRESSES = 10_000;

/**
 * Bounds the posts to each address of a workflow. Without it, a secret that leaked would make any number of contacts.
 * Only posts with the secret count. Each process counts for itself.
 */
export class HookRates {
  readonly #rate: Rate;
  readonly #nowMs: () => number;
  readonly #levels = new Map<string, Level>();

  constructor(rate: Rate, nowMs: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#nowMs = nowMs;
  }

  /** Counts a post, or refuses it with the seconds to wait. */
  admit(id: string): void {
    const nowMs = this.#nowMs();
    const level = refilled(this.#levels.get(id) ?? { units: this.#rate.burst, atMs: nowMs }, this.#rate, nowMs);
    if (!affords(level, this.#rate, 1)) {
      const seconds = Math.max(1, Math.ceil(untilMs(level, this.#rate, 1) / 1_000));
      throw new EngineError('rate_limited', `Too many posts to this address: wait ${seconds} s.`, {
        headers: { 'retry-after': String(seconds) },
      });
    }
    // The map keeps its order of insertion, so the entry is deleted first to become the youngest.
    this.#levels.delete(id);
    this.#levels.set(id, { ...level, units: level.units - 1 });
    for (const [oldest] of this.#levels) {
      if (this.#levels.size <= MAX_ADDRESSES) break;
      this.#levels.delete(oldest);
    }
  }
}
