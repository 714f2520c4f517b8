import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../db/engine/database.ts';
import { EventApplier } from '../../loops/apply-events.ts';
import { aWorkingSession } from '../db/a-database.ts';
import { eventually } from '../support/eventually.ts';
import { above, addRows, countRows, untilCount } from '../support/rows.ts';
import { takeDatabase } from '../support/servers.ts';
import { processesOn, statementsOf } from './processes.ts';

const LOOK = 'sessions_with_events(';
/** A look for sessions and one for overlooked acks, each with a word to the other processes. */
const STATEMENTS_OF_A_LOOK = 4;
/** Statements that keep the clocks of the processes right. */
const CLOCK_STATEMENTS = 5;

describe('the appliers of several processes', () => {
  let databases: Database[] = [];
  let running: EventApplier[] = [];
  let url: string;

  beforeEach(async () => {
    url = await takeDatabase();
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((applier) => applier.stop()));
    await Promise.all(databases.map((each) => each.close()));
  });

  async function start(count: number): Promise<Database> {
    databases = await processesOn(url, count);
    running = databases.map(
      (each) => new EventApplier(each, { warn: () => undefined, error: () => undefined }, { loops: 4 }),
    );
    for (const applier of running) applier.start();
    const [first] = databases;
    if (!first) throw new Error('There is no process.');
    return first;
  }

  it.each([1, 8])('of %i make four statements a look at rest, and share their looks', async (count) => {
    const database = await start(count);
    const statements = await statementsOf(database);
    await eventually(async () => (await statements.count(LOOK)) >= 1);
    await statements.beginAnew();
    await eventually(async () => (await statements.count(LOOK)) >= 5);
    const looks = await statements.count(LOOK);
    expect(await statements.count()).toBeLessThanOrEqual(
      (looks + count) * STATEMENTS_OF_A_LOOK + count * CLOCK_STATEMENTS,
    );
  });

  it('apply together the backlog of a process that has died', async () => {
    const [database] = await processesOn(url, 1);
    if (!database) throw new Error('There is no process.');
    await aWorkingSession(database);
    await addRows(database, 'backendEvent', 6_000, (n) => ({
      sessionName: `s${n % 300}`,
      requestKey: `${n}`,
      body: JSON.stringify({ event: 'engine.event', session: `s${n % 300}` }),
    }));
    await database.close();
    const one = await start(3);
    await untilCount(one, 'backendEvent', { appliedAt: null }, 0);
    expect(await countRows(one, 'backendEvent', { attempts: above(0) })).toBe(0);
  });
});
