import { beforeEach, describe, expect, it } from '@jest/globals';
import { handOver, takeOverByPerson } from '../../../db/agent/handover.ts';
import type { Handover } from '../../../db/agent/handover.ts';
import { ago, changeRows, countRows, deleteRows, findRows } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const scope = { ...SCOPE, sessionId: null };
const ASSIGN = { mode: 'human_takeover', cause: 'assign', assignee: 'ada' } as const;
const RELEASE = { mode: 'bot_active', cause: 'release' } as const;

const change = (id: string, to: Handover) => database.transaction((tx) => handOver(tx, scope, id, to));
const reply = (id: string) => database.transaction((tx) => takeOverByPerson(tx, scope, id, { cause: 'reply' }));
const promised = (id: string) =>
  findRows(database, 'dispatch', { workflowId: `ai/${id}` }, ['action', 'signal', 'priority']);
const look = (id: string) => agent.begin({ conversationId: id, running: null });

/** A conversation that the agent has just answered, and whose promises were kept. */
async function answered(): Promise<string> {
  const id = await agent.write(agent.person(), 'Hello?');
  await agent.settle(id);
  await deleteRows(database, 'dispatch');
  return id;
}

describe("the agent's execution, when somebody else decides who has its conversation", () => {
  beforeEach(() => agent.startOver());

  it.each([
    ['an assignment', (id: string) => change(id, ASSIGN)],
    ['a reply of a person', reply],
  ])('is told of %s once, and shows since when', async (_what, takeOver) => {
    const id = await answered();
    await takeOver(id);
    // It starts an execution that has closed, since it keeps other promises from being made.
    expect(await promised(id)).toEqual([{ action: 'signal_with_start', signal: 'messageReceived', priority: 3 }]);
    const [taken] = await findRows(database, 'handover', { conversationId: id }, ['at', 'cause']);
    const at = taken?.at ?? '';
    const since = `${at.slice(0, 10)}T${at.slice(11, 19)}Z`;
    expect(await look(id)).toEqual({ state: 'none', person: { of: 'conversation', since, cause: taken?.cause } });

    // Another person gets it later, which changes nothing about that.
    database.clock.advance(60_000);
    await change(id, { ...ASSIGN, assignee: 'bob' });
    expect(await look(id)).toMatchObject({ person: { since, cause: taken?.cause } });
    expect(await promised(id)).toHaveLength(1);
    await deleteRows(database, 'dispatch');
    await change(id, RELEASE);
    expect(await promised(id)).toHaveLength(1);
    expect(await look(id)).toEqual({ state: 'none' });
  });

  it('shows that a person has the whole tenant', async () => {
    const id = await answered();
    await changeRows(database, 'tenant', { aiMode: 'human_takeover' });
    expect(await look(id)).toEqual({ state: 'none', person: { of: 'tenant', since: null, cause: null } });
  });

  it.each(['agent', 'model_failed', 'agent_late'] as const)('is not told of its own decision %s', async (cause) => {
    const id = await answered();
    await change(id, { mode: 'human_takeover', cause });
    expect(await promised(id)).toEqual([]);
    expect(await look(id)).toMatchObject({ person: { cause } });
  });

  it('is told nothing where it has closed, or never was', async () => {
    const id = await answered();
    await changeRows(database, 'aiTurn', { startedAt: ago({ minutes: 41 }) }, { conversationId: id });
    await change(id, ASSIGN);
    await agent.persona({ active: false });
    const silent = await agent.write(agent.person(), 'Hello?');
    expect(await agent.turnsOf(silent)).toMatchObject([{ silenceCode: 'paused' }]);
    await change(silent, ASSIGN);
    expect(await countRows(database, 'dispatch', { workflowType: 'aiConversation' })).toBe(0);
  });
});
