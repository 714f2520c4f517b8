import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../../db/engine/database.ts';
import { aDatabase, aWorkingSession } from '../../a-database.ts';
import { withBoundaries } from '../../sending/boundaries.ts';
import { MUTANTS } from './mutants.ts';
import { runSchedule } from './schedule.ts';
import { howMany } from '../../../support/depth.ts';

/** `npm run bench -- --only takeover-schedules` runs ten thousand. */
const SCHEDULES = howMany({ few: 20, all: 600 });
const MAX_TO_FIND_A_MUTANT = 200;
/** Each on a database of its own: a change of the tenant is everybody's. */
const LANES = 3;

interface Lane {
  database: Database;
  sessionId: string;
}

describe('whatever the order of their statements', () => {
  const lanes: Lane[] = [];

  beforeAll(async () => {
    for (let lane = 0; lane < LANES; lane += 1) {
      const database = await aDatabase();
      await withBoundaries(database);
      lanes.push({ database, sessionId: await aWorkingSession(database) });
    }
  });
  afterAll(() => Promise.all(lanes.map(({ database }) => database.close())));

  /** Runs one seed after the other in all lanes until the last, or until it is told to stop. */
  async function inLanes(last: number, run: (lane: Lane, seed: number) => Promise<boolean | void>): Promise<void> {
    let seed = 0;
    const one = async (lane: Lane): Promise<void> => {
      while (seed < last) {
        seed += 1;
        if ((await run(lane, seed)) === true) seed = last;
      }
    };
    await Promise.all(lanes.map(one));
  }

  it('no message of the agent goes out that an answered takeover has not named, nor after a word on the phone', async () => {
    const broken: string[] = [];
    let [sends, named, phoneWords] = [0, 0, 0];
    await inLanes(SCHEDULES, async ({ database, sessionId }, seed) => {
      const schedule = await runSchedule(database, sessionId, seed);
      sends += schedule.sends;
      named += schedule.named;
      phoneWords += schedule.phoneWords;
      broken.push(...schedule.violations.map((what) => `seed ${seed} (${schedule.roles.join(', ')}): ${what}`));
    });
    expect(broken).toEqual([]);
    // A proof in which nothing is on its way proves nothing.
    expect(sends).toBeGreaterThan(SCHEDULES / 5);
    expect(named).toBeGreaterThan(SCHEDULES / 10);
    expect(phoneWords).toBeGreaterThan(SCHEDULES / 10);
  });

  it.each(Object.entries(MUTANTS))(
    'one would, and it is seen, if %s',
    async (_what, { parts, prepare, breaks, seed: first }) => {
      for (const { database } of lanes) await prepare?.(database);
      let found: string | undefined;
      await inLanes(MAX_TO_FIND_A_MUTANT, async ({ database, sessionId }, nth) => {
        const seed = 1 + ((first + nth - 2) % MAX_TO_FIND_A_MUTANT);
        const { violations } = await runSchedule(database, sessionId, seed, parts);
        found ??= violations.find((what) => breaks.test(what));
        return found !== undefined;
      });
      expect(found).toBeDefined();
    },
  );
});
