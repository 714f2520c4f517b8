import { describe, expect, it } from '@jest/globals';
import { GONE_MS, KEEP_EVERY_MS, Leases } from '../../../../activities/webhooks/shards/leases.ts';
import { seeded } from '../../../db/seeded.ts';
import { SimulatedWorkers } from './simulated-workers.ts';
import type { Mutant } from './simulated-workers.ts';
import { howMany } from '../../../support/depth.ts';

const SCHEDULES = howMany({ few: 60, all: 1_000 });
const MAX_TO_FIND_A_MUTANT = 300;

async function firstFault(mutant: Mutant | null, schedules: number): Promise<string | null> {
  for (let seed = 1; seed <= schedules; seed += 1) {
    const fault = await new SimulatedWorkers(seeded(seed), mutant).run();
    if (fault !== null) return `Seed ${seed}: ${fault}`;
  }
  return null;
}

describe('the ownership of shards', () => {
  it(`has one poster for a shard, and one again after every crash, in ${SCHEDULES} schedules of crashes, stalls and partitions`, async () => {
    expect(await firstFault(null, SCHEDULES)).toBeNull();
  });

  it.each<Mutant>([
    'counts its lease from the answer',
    'never looks at its lease',
    'keeps what it has lost',
    'gives back what it still posts',
    'takes the shards of the living',
    'counts on all of its lease',
    'trusts a clock that stands still',
  ])('would be found out where a worker %s', async (mutant) => {
    expect(await firstFault(mutant, MAX_TO_FIND_A_MUTANT)).not.toBeNull();
  });

  it('is sure again after a renewal that took long, and renewed without a rest of the whole time', async () => {
    let nowMs = 0;
    const answered = { held: [], free: [], workers: ['a worker'] };
    const takes = { waitsMs: 0, tookMs: 0 };
    const keep = (_asked: unknown, sending: () => void) => {
      nowMs += takes.waitsMs;
      sending();
      nowMs += takes.tookMs;
      return Promise.resolve(answered);
    };
    const store = { keep, leave: () => Promise.resolve() };
    const leases = new Leases(store, 'a worker', { number: '1', nowMs: () => nowMs, wallMs: () => nowMs });
    await leases.keep([]);
    expect([leases.isSure, leases.renewsInMs]).toEqual([true, KEEP_EVERY_MS]);
    // It waited for a connection, which says nothing about the lease.
    takes.waitsMs = 60_000;
    await leases.keep([]);
    expect([leases.isSure, leases.renewsInMs]).toEqual([true, KEEP_EVERY_MS]);
    takes.tookMs = 500;
    await leases.keep([]);
    expect([leases.isSure, leases.renewsInMs]).toEqual([true, KEEP_EVERY_MS - 500]);
    takes.tookMs = GONE_MS;
    await leases.keep([]);
    expect(leases.isSure).toBe(false);
    expect(leases.renewsInMs).toBeLessThan(KEEP_EVERY_MS / 2);
  });
});
