import { describe, expect, it, jest } from '@jest/globals';
import { RateLimits } from '../../../api/route/rate-limits.ts';
import type { Identified } from '../../../api/route/caller.ts';
import { refilled } from '../../../domain/rate.ts';
import type { Level } from '../../../domain/rate.ts';
import type { OwnLimits } from '../../../domain/tenants/limits.ts';

const NO_CEILINGS = {
  tokensPerDay: 0,
  costPerDay: 0,
  tenantTokensPerDay: 0,
  tenantCostPerDay: 0,
  tenants: 0,
  automationsRunning: 0,
  storageBytes: 0,
  tenantStorageBytes: 0,
  automationsPerMinute: 0,
};
const STANDARD = {
  keyRatePerMinute: 60,
  keyRateBurst: 10,
  ratePerMinute: 600,
  rateBurst: 25,
  ...NO_CEILINGS,
  share: 1,
};
const LATER_MS = 3_600_000;

/** The common level of all processes, as `spendUnits` keeps it. */
function aCommonLevel(): Map<string, Level> {
  return new Map();
}

function aProcess(common: Map<string, Level>, own: OwnLimits = {}): RateLimits {
  return new RateLimits({
    standard: STANDARD,
    limitsOf: async () => own,
    spend: async (spent) => {
      for (const { subject, units, rate } of spent) {
        const nowMs = performance.now();
        const perSecond = rate.perMinute / 60;
        const known = common.get(subject) ?? { units: rate.burst, atMs: -Infinity };
        const { units: full } = refilled(known, { ...rate, burst: rate.burst + perSecond }, nowMs);
        common.set(subject, { atMs: nowMs, units: Math.max(-rate.burst, Math.min(rate.burst, full - units)) });
      }
      return new Map([...common].map(([subject, level]) => [subject, level.units]));
    },
    onError: (error) => {
      throw error;
    },
  });
}

function aKey(keyId: string, agencyId = 'acme'): Identified {
  return { kind: 'dashboard', keyId, agencyId, scopes: [] };
}

async function admitted(process: RateLimits, who: Identified, requests: number, cost = 1): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: requests }, () => process.admit(who, cost)));
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

describe('the limits of requests', () => {
  it('let a key have its burst, however many of its requests come at once', async () => {
    const process = aProcess(aCommonLevel());
    expect(await admitted(process, aKey('k1'), 50)).toBe(10);
  });

  it('count a dear request as several', async () => {
    const process = aProcess(aCommonLevel());
    expect(await admitted(process, aKey('k1'), 50, 5)).toBe(2);
  });

  it('let a request that costs more than the burst go when all units are there', async () => {
    const process = aProcess(aCommonLevel());
    expect(await admitted(process, aKey('k1'), 2, 11)).toBe(1);
  });

  it('bound all keys of an agency together, and leave other agencies alone', async () => {
    const process = aProcess(aCommonLevel());
    const counts = [];
    for (const key of ['k1', 'k2', 'k3', 'k4']) counts.push(await admitted(process, aKey(key), 10));
    expect(counts).toEqual([10, 10, 5, 0]);
    expect(await admitted(process, aKey('k5', 'globex'), 20)).toBe(10);
  });

  it('tell in the headers what is left, and after which pause a refused request may come again', async () => {
    const process = aProcess(aCommonLevel());
    expect(await process.admit(aKey('k1'), 4)).toEqual({
      'ratelimit-policy': '"key";q=10;w=10, "agency";q=25;w=3',
      ratelimit: '"key";r=6;t=4, "agency";r=21;t=1',
    });
    await expect(process.admit(aKey('k1'), 8)).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '2', ratelimit: expect.stringContaining('"key";r=6') },
    });
  });

  it('take the same pause in earnest: after it the request is admitted', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const process = aProcess(aCommonLevel());
      await process.admit(aKey('k1'), 10);
      await jest.advanceTimersByTimeAsync(1_900);
      await expect(process.admit(aKey('k1'), 2)).rejects.toMatchObject({ headers: { 'retry-after': '1' } });
      await jest.advanceTimersByTimeAsync(1_000);
      await process.admit(aKey('k1'), 2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are told once, however long the database takes for it', async () => {
    const told: number[] = [];
    const answered = Promise.withResolvers<ReadonlyMap<string, number>>();
    const process = new RateLimits({
      standard: STANDARD,
      limitsOf: async () => ({}),
      spend: async (spent) => {
        told.push(...spent.map(({ units }) => units));
        return answered.promise;
      },
      onError: (error) => {
        throw error;
      },
    });
    await process.admit(aKey('k1'), 4);
    const both = [process.share(), process.share()];
    answered.resolve(
      new Map([
        ['key/k1', 6],
        ['agency/acme', 21],
      ]),
    );
    await Promise.all(both);
    await process.share();
    expect(told).toEqual([4, 4]);
  });

  it('hold over several processes once they have told each other', async () => {
    const common = aCommonLevel();
    const [one, other] = [aProcess(common), aProcess(common)];
    expect(await admitted(one, aKey('k1'), 6)).toBe(6);
    await one.share();
    expect(await admitted(other, aKey('k1'), 1)).toBe(1);
    await other.share();
    expect(await admitted(other, aKey('k1'), 10)).toBe(4);
    await other.share();
    // One process did not know of these; it finds out, and pays for them.
    expect(await admitted(one, aKey('k1'), 10)).toBe(5);
    await one.share();
    expect(common.get('key/k1')?.units).toBeCloseTo(-5, 0);
    expect(await admitted(one, aKey('k1'), 1)).toBe(0);
  });

  it('tell nothing while nothing was spent', async () => {
    const spend = jest.fn(async () => new Map<string, number>());
    const process = new RateLimits({ standard: STANDARD, limitsOf: async () => ({}), spend, onError: () => undefined });
    await process.share();
    await process.admit(aKey('k1'), 1);
    await process.share();
    await process.share();
    expect(spend).toHaveBeenCalledTimes(1);
  });

  it('are what the operator has set for the agency, where he has set something', async () => {
    const own = { keyRatePerMinute: 6, keyRateBurst: 20, ratePerMinute: 0 };
    expect(await admitted(aProcess(aCommonLevel(), own), aKey('k1'), 50)).toBe(20);
  });

  it('do not concern the operator', async () => {
    const process = aProcess(aCommonLevel());
    expect(await admitted(process, { kind: 'master' }, 100)).toBe(100);
    expect(await process.admit({ kind: 'psk' }, 1)).toEqual({});
  });

  it('come back with the time', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const process = aProcess(aCommonLevel());
      expect(await admitted(process, aKey('k1'), 50)).toBe(10);
      await jest.advanceTimersByTimeAsync(LATER_MS);
      expect(await admitted(process, aKey('k1'), 50)).toBe(10);
    } finally {
      jest.useRealTimers();
    }
  });
});
