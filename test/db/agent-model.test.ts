import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Database } from '../../db/database.ts';
import { aDatabase, aWorkingSession } from './a-database.ts';
import { AgentWorld, STEPS } from './agent-world.ts';
import type { Step } from './agent-world.ts';

const RUNS = 60;
const MOST_STEPS = 20;
const SEED = 20_261_121;
/** What happens all the time, more often than what happens now and then. */
const OFTEN: Step[] = [
  'the contact writes',
  'the contact writes',
  'the agent looks',
  'the agent looks',
  'the agent looks',
  'the model replies',
  'the model fails',
  'a message is claimed',
  'the call is made',
  'the call is recorded',
];

describe('the agent in a conversation, whatever happens in whatever order', () => {
  let database: Database;
  let sessionId: string;

  beforeAll(async () => {
    database = await aDatabase();
    sessionId = await aWorkingSession(database);
  }, 60_000);
  afterAll(() => database.close());

  it('says nothing after an answered takeover that does not name it, and leaves no message without its one turn', async () => {
    const happened = new Set<string>();
    const step = fc.constantFrom(...OFTEN, ...STEPS);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: MOST_STEPS }), async (steps) => {
        const world = await AgentWorld.make(database, sessionId);
        for (const one of steps) await world.take(one);
        await world.rest();
        expect(await world.listFaults()).toEqual([]);
        for (const one of await world.listOutcomes()) happened.add(one);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // What never happens is not proven.
    expect([...happened]).toEqual(expect.arrayContaining(['reply', 'fallback', 'handoff', 'silence']));
  }, 120_000);
});
