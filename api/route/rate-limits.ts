import type { Spent } from '../../db/tenants/limits.ts';
import { EngineError } from '../../domain/error.ts';
import { affords, isLimited, refilled, untilMs } from '../../domain/rate.ts';
import type { Level, Rate } from '../../domain/rate.ts';
import { effectiveLimits, rateOfAgency, rateOfKey } from '../../domain/tenants/limits.ts';
import type { Limits, OwnLimits } from '../../domain/tenants/limits.ts';
import type { Identified } from './caller.ts';

/** A process shares its counts with the others this often. */
const SHARE_EVERY_MS = 1_000;

/** Counts the requests of a caller, or refuses one with `rate_limited`. Answers headers that tell what is left. */
export interface Admission {
  admit(who: Identified, cost: number): Promise<Record<string, string>>;
}

export interface RateLimitsOptions {
  standard: Limits;
  limitsOf(agencyId: string): Promise<OwnLimits>;
  /** Takes what was spent from the levels that all processes have in common, and returns what is left of each. */
  spend(spent: readonly Spent[]): Promise<ReadonlyMap<string, number>>;
  onError(error: unknown): void;
}

interface Policy {
  name: 'key' | 'agency';
  subject: string;
  rate: Rate;
}

interface Count {
  rate: Rate;
  level: Level;
  /** Units that this process has spent since its last report to the others. */
  untold: number;
}

/**
 * Counts the requests of each key and agency in this process, and tells the others once a second. So a request costs no
 * statement; a key that uses several processes at once may exceed its burst by one burst for each further process, and
 * pays for it in the minutes after.
 */
export class RateLimits implements Admission {
  readonly #options: RateLimitsOptions;
  readonly #counts = new Map<string, Count>();
  readonly #timer: NodeJS.Timeout;
  #sharing: Promise<void> | undefined;

  constructor(options: RateLimitsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.share().catch((error: unknown) => options.onError(error));
    }, SHARE_EVERY_MS).unref();
  }

  async admit(who: Identified, cost: number): Promise<Record<string, string>> {
    if (!('agencyId' in who)) return {};
    const limits = effectiveLimits(await this.#options.limitsOf(who.agencyId), this.#options.standard);
    const policies: Policy[] = [
      { name: 'key', subject: `key/${who.keyId}`, rate: rateOfKey(limits) },
      { name: 'agency', subject: `agency/${who.agencyId}`, rate: rateOfAgency(limits) },
    ];
    const counted = policies
      .filter(({ rate }) => isLimited(rate))
      .map((policy) => ({ ...policy, count: this.#now(policy) }));
    const waitMs = Math.max(0, ...counted.map(({ count: { level, rate } }) => untilMs(level, rate, cost)));
    const isRefused = counted.some(({ count: { level, rate } }) => !affords(level, rate, cost));
    if (!isRefused) for (const { count } of counted) spend(count, cost);
    const headers = counted.length === 0 ? {} : headersOf(counted);
    if (isRefused) throw refused(headers, waitMs);
    return headers;
  }

  /**
   * Tells the other processes what was spent here, and learns what they have spent. It is told once: while a slow
   * database still takes what was spent, nobody begins to tell it again.
   */
  share(): Promise<void> {
    this.#sharing ??= this.#share().finally(() => {
      this.#sharing = undefined;
    });
    return this.#sharing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // The timer's report comes first, and the timer reports its failure.
    await this.#sharing?.catch(() => undefined);
    await this.share();
  }

  async #share(): Promise<void> {
    const nowMs = performance.now();
    for (const [subject, { level, rate, untold }] of this.#counts) {
      if (untold === 0 && refilled(level, rate, nowMs).units >= rate.burst) this.#counts.delete(subject);
    }
    const spent = [...this.#counts].flatMap(([subject, { untold: units, rate }]) =>
      units === 0 ? [] : [{ subject, units, rate }],
    );
    if (spent.length === 0) return;
    const levels = await this.#options.spend(spent);
    for (const { subject, units } of spent) {
      const count = this.#counts.get(subject);
      if (!count) continue;
      count.untold -= units;
      count.level = { units: (levels.get(subject) ?? 0) - count.untold, atMs: performance.now() };
    }
  }

  #now({ subject, rate }: Policy): Count {
    const nowMs = performance.now();
    const known = this.#counts.get(subject) ?? { rate, level: { units: rate.burst, atMs: nowMs }, untold: 0 };
    known.rate = rate;
    known.level = refilled(known.level, rate, nowMs);
    this.#counts.set(subject, known);
    return known;
  }
}

function spend(count: Count, cost: number): void {
  count.level = { ...count.level, units: count.level.units - cost };
  count.untold += cost;
}

/** Writes the two header fields as draft-ietf-httpapi-ratelimit-headers describes them: a burst, and when it is back. */
function headersOf(counted: readonly { name: string; count: Count }[]): Record<string, string> {
  const policies = counted.map(({ name, count: { rate } }) => {
    const seconds = Math.ceil(untilMs({ units: 0, atMs: 0 }, rate, rate.burst) / 1_000);
    return `"${name}";q=${rate.burst};w=${seconds}`;
  });
  const left = counted.map(({ name, count: { level, rate } }) => {
    const seconds = Math.ceil(untilMs(level, rate, rate.burst) / 1_000);
    return `"${name}";r=${Math.max(0, Math.floor(level.units))};t=${seconds}`;
  });
  return { 'ratelimit-policy': policies.join(', '), ratelimit: left.join(', ') };
}

function refused(headers: Record<string, string>, waitMs: number): EngineError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const detail = `Wait ${seconds} s and send the request again; the RateLimit header shows the units left.`;
  return new EngineError('rate_limited', detail, {
    headers: { ...headers, 'retry-after': String(seconds) },
    retryAfterMs: waitMs,
  });
}
