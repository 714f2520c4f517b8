import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { STEPS } from './agent-steps.ts';
import type { Step } from './agent-steps.ts';
import { AgentWorld } from './agent-world.ts';
import { listOutcomes, listTurnFaults } from './agent-truth.ts';
import { howMany } from '../../support/depth.ts';

const ALL_RUNS = 300;
const RUNS = howMany({ few: 25, all: ALL_RUNS });
const MAX_PIECES = 6;
const SEED = 20_261_121;
/** Usual sequences, broken off or interrupted at any place. */
const STORIES: Step[][] = [
  [
    'the contact writes',
    'the agent looks',
    'the model replies',
    'a message is claimed',
    'the call is made',
    'the call is recorded',
  ],
  [
    'the contact writes',
    'the agent looks',
    'the contact writes',
    'the agent looks',
    'the model replies in two messages',
  ],
  ['the contact writes', 'the agent looks', 'the model fails', 'a message is claimed'],
  ['the contact writes', 'the agent looks', 'the model replies', 'a message is claimed', 'a person takes over'],
  [
    'the persona asks failing models again',
    'the contact writes',
    'the agent looks',
    'the model fails',
    'the contact writes',
    'the agent looks',
    'the agent looks',
    'the model replies',
  ],
  [
    'the persona asks failing models again',
    'the contact writes',
    'the agent looks',
    'the model fails',
    'hours pass',
    'the agent looks',
    'a message is claimed',
  ],
  ['the contact writes', 'hours pass', 'the agent looks'],
  ['a message is claimed', 'a person takes over', 'the call is made', 'a person gives it back'],
];
const STEP = fc.constantFrom(...STEPS);
const PIECE = fc.oneof(
  { weight: 2, arbitrary: STEP.map((step) => [step]) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...STORIES), fc.nat({ max: 6 }), STEP)
      .map(([story, at, step]) => [...story.slice(0, at), step, ...story.slice(at)]),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...STORIES), fc.nat({ max: 6 })).map(([story, end]) => story.slice(0, end)),
  },
);

const WANTED = [
  'reply',
  'handoff',
  'handoff model_failed',
  'silence model_retry',
  'silence nothing_to_answer',
  'silence paused',
  'handoff agent_late',
  'silence human',
  'silence newer_message',
  'silence taken_over',
];

const { database, sessionId } = await databaseOfThisFile();

describe('the agent in a conversation, whatever happens in whatever order', () => {
  it('says nothing after an answered takeover that does not name it, and leaves no message without its one turn', async () => {
    const happened = new Set<string>();
    let named = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(PIECE, { minLength: 2, maxLength: MAX_PIECES }), async (pieces) => {
        const world = await AgentWorld.make(database, sessionId);
        for (const one of pieces.flat()) await world.take(one);
        await world.rest();
        const faults = await listTurnFaults(database, world.conversationId);
        expect([...faults, ...world.faults, ...world.oracle.violations()]).toEqual([]);
        for (const one of await listOutcomes(database, world.conversationId)) happened.add(one);
        named += world.oracle.takeovers.filter(({ inFlight }) => inFlight.length > 0).length;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // An outcome that never happens is not proven, and a few runs do not reach every outcome.
    expect(happened.size).toBeGreaterThan(WANTED.length / 2);
    if (RUNS === ALL_RUNS) expect([...happened]).toEqual(expect.arrayContaining(WANTED));
    expect(named).toBeGreaterThan(RUNS / 10);
  });
});
