import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../db/database.ts';
import { aDatabase, aWorkingSession } from './a-database.ts';
import { runSchedule } from './takeover-schedule.ts';

const SCHEDULES = Number(100);

describe('the takeover fence in random schedules', () => {
  let database: Database;
  let sessionId: string;

  beforeAll(async () => {
    database = await aDatabase();
    sessionId = await aWorkingSession(database);
  }, 60_000);
  afterAll(() => database.close());

  it('lets no message of the agent out that an answered takeover has not named', async () => {
    const broken: string[] = [];
    let [sends, named] = [0, 0];
    const at = performance.now();
    for (let seed = 1; seed <= SCHEDULES; seed += 1) {
      const schedule = await runSchedule(database, sessionId, seed);
      sends += schedule.sends;
      named += schedule.named;
      broken.push(
        ...schedule.violations.map((violation) => `seed ${seed} (${schedule.roles.join(', ')}): ${violation}`),
      );
    }
    process.stderr.write(JSON.stringify({ sends, named, ms: (performance.now() - at) / SCHEDULES }) + '\n');
    expect(broken).toEqual([]);
    expect(sends).toBeGreaterThan(SCHEDULES / 4);
    expect(named).toBeGreaterThan(SCHEDULES / 20);
  }, 120_000);
});
