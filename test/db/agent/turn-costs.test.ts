import { beforeEach, describe, expect, it } from '@jest/globals';
import { countRows } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { watched } from '../round-trips.ts';
import { anAgent } from './a-turn.ts';

const { database, sessionId } = await databaseOfThisFile();
let ways: string[] = [];
let meanwhile: (way: string) => Promise<void> = async () => undefined;
const agent = anAgent(
  watched(database, async (way) => {
    ways.push(way);
    await meanwhile(way);
  }),
  sessionId,
);
/** People do what they do past the database that is watched. */
const people = anAgent(database, sessionId);

describe('what a turn of the agent costs, and what comes between its look and its beginning', () => {
  beforeEach(async () => {
    await people.startOver();
    await people.persona({ quietPeriodMs: 0, maxTokensPerDay: 100_000 });
    meanwhile = async () => undefined;
    ways = [];
  });

  const start = async (conversationId: string, running: string | null = null) => {
    ways = [];
    return agent.begin({ conversationId, running });
  };

  it('the agent begins a turn with one read and one statement, and answers it with one read and two statements', async () => {
    const step = await start(await people.write(people.person(), 'Do you have a table for two?'));
    expect(ways).toEqual(['read', 'statement']);
    ways = [];
    if (step.state === 'begun') await agent.answer(step.turnId);
    // The statements set tokens aside and conclude the turn.
    expect(ways).toEqual(['read', 'statement', 'statement']);
  });

  it('the agent that waits, or finds nothing, writes nothing', async () => {
    await people.persona({ quietPeriodMs: 60_000 });
    const id = await people.write(people.person(), 'Do you');
    expect(await start(id)).toMatchObject({ state: 'wait' });
    expect(ways).toEqual(['read']);
    await people.settle(id);
    expect(await start(id)).toMatchObject({ state: 'none' });
    expect(ways).toEqual(['read']);
  });

  it('a turn begins again with a newer message in one statement', async () => {
    const chat = people.person();
    const id = await people.write(chat, 'Do you have a table for two?');
    const first = await people.begun(id);
    await people.write(chat, 'For three, I mean');
    expect(await start(id, first)).toMatchObject({ state: 'begun', gaveUp: first });
    expect(ways).toEqual(['read', 'statement']);
    expect((await people.turnsOf(id)).map(({ outcome, restarts }) => [outcome, restarts])).toEqual([
      ['running', 1],
      ['silence', 0],
    ]);
  });

  it('a message that comes between the look and the turn belongs to the turn', async () => {
    const chat = people.person();
    const id = await people.write(chat, 'Do you have a table for two?');
    meanwhile = async (way) => {
      if (way !== 'statement') return;
      meanwhile = async () => undefined;
      await people.write(chat, 'For three, I mean');
    };
    expect(await start(id)).toMatchObject({ state: 'begun' });
    expect(ways).toEqual(['read', 'statement', 'transaction']);
    const [turn] = await people.turnsOf(id);
    expect(turn?.inboundMessageIds).toHaveLength(2);
  });

  it.each([
    ['takes over', (id: string) => people.hands(id, 'human_takeover')],
    ['switches the agent off', () => people.persona({ active: false })],
  ])('a person who %s between the look and the turn has the conversation', async (_what, act) => {
    const id = await people.write(people.person(), 'Do you have a table for two?');
    meanwhile = async (way) => {
      if (way !== 'statement') return;
      meanwhile = async () => undefined;
      await act(id);
    };
    expect(await start(id)).toMatchObject({ state: 'none' });
    expect(await countRows(database, 'aiTurn', { conversationId: id, outcome: 'running' })).toBe(0);
    expect(await countRows(database, 'message', { conversationId: id, awaitsTurn: true })).toBe(0);
  });
});
