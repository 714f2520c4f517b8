import { beforeEach, describe, expect, it } from '@jest/globals';
import { recordUsage } from '../../../db/agent/usage.ts';
import { addMessages, changeRows, countRows, findRow, json } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';
import { listTurnFaults } from './agent-truth.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const { persona, begun } = agent;

describe("the record of the agent's turn", () => {
  beforeEach(() => agent.startOver());

  it('that was given up is named again to a workflow that did not hear it the first time', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, 'a');
    const running = await begun(id);
    await agent.write(chat, 'b');
    await agent.next(id, running);
    expect(await agent.next(id, running)).toMatchObject({ state: 'begun', gaveUp: running });
  });

  it('of a workflow that is gone stays on record once it has asked a model', async () => {
    const id = await agent.write(agent.person(), 'Hello?');
    const lost = await begun(id);
    await changeRows(
      database,
      'aiTurn',
      { modelCalls: json([{ model: 'first', ms: 9 }]), costMicros: 7 },
      { id: lost },
    );
    await agent.settle(id);
    expect(await agent.turnsOf(id)).toMatchObject([
      { outcome: 'reply' },
      { id: lost, silenceCode: 'newer_message', costMicros: 7 },
    ]);
  });

  it('says that more is to be looked at than one turn takes', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, 'first');
    const { id: firstId, ...times } = await findRow(database, 'message', { conversationId: id }, [
      'id',
      'occurredAt',
      'createdAt',
      'updatedAt',
    ]);
    await addMessages(database, id, 200, (n) => ({
      ...times,
      id: `${firstId}${n}`,
      contactId: null,
      body: 'more',
      awaitsTurn: true,
    }));
    const step = await agent.next(id);
    expect(step).toMatchObject({ state: 'begun', more: true });
    if (step.state === 'begun') await agent.answer(step.turnId);
    expect(await agent.next(id)).not.toHaveProperty('more');
  });

  it('is never two fallbacks in a row, whatever it did not say in between', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, 'One?');
    agent.script({ fails: 'key_refused' }, { fails: 'key_refused' });
    await agent.settle(id);
    await agent.hands(id, 'bot_active');
    await agent.write(chat, 'Two?');
    agent.script({ outcome: 'silence' });
    await agent.settle(id);
    await agent.write(chat, 'Three?');
    agent.script({ fails: 'key_refused' }, { fails: 'key_refused' });
    await agent.settle(id);
    expect((await agent.turnsOf(id)).map(({ outcome }) => outcome)).toEqual(['handoff', 'silence', 'handoff']);
    expect(await agent.sentIn(id)).toHaveLength(1);
    expect(await listTurnFaults(database, id)).toEqual([]);
  });

  it('is owed also to what only a reading of the history finds, fresh or stale, and not to what was before', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, 'Hello?');
    await agent.settle(id);
    const now = Math.floor(database.clock.now().getTime() / 1_000);
    database.clock.advance(40 * 60_000);
    await agent.readHistory(chat, [
      { networkId: `H1${id}`, timestamp: now - 5_000, body: 'long ago' },
      { networkId: `H2${id}`, timestamp: now + 60, body: 'while the session was away' },
      { networkId: `H3${id}`, timestamp: now + 39 * 60, body: 'a minute ago' },
    ]);
    await agent.settle(id);
    expect((await agent.turnsOf(id)).map(({ outcome, silenceCode }) => silenceCode ?? outcome)).toEqual([
      'reply',
      'stale',
      'reply',
    ]);
    // Its event comes after all.
    await agent.write(chat, 'a minute ago', { networkId: `H3${id}`, timestamp: now + 39 * 60 });
    expect(await agent.next(id)).toEqual({ state: 'none' });
    expect(await countRows(database, 'message', { conversationId: id, turnId: null, direction: 'in' })).toBe(1);
  });

  it('gives the conversation to a person where the budget is used up only after it has begun', async () => {
    await persona({ maxTokensPerDay: 1_000_000 });
    const id = await agent.write(agent.person(), 'Hello?');
    const turn = await begun(id);
    await database.transaction((tx) =>
      recordUsage(tx, { ...SCOPE, contactId: null }, { replies: 0, tokens: 1_000_000, costMicros: 0 }),
    );
    await agent.answer(turn);
    expect(agent.asked).toEqual([]);
    expect((await agent.turnsOf(id))[0]).toMatchObject({ outcome: 'handoff', silenceCode: 'budget' });
  });
});
