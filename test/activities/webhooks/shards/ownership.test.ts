import { describe, expect, it } from '@jest/globals';
import { seeded } from '../../../db/seeded.ts';
import { SimulatedWorkers } from './simulated-workers.ts';
import type { Mutant } from './simulated-workers.ts';

const SCHEDULES = 300;

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
    expect(await firstFault(mutant, SCHEDULES)).not.toBeNull();
  });
});
