import { beforeEach, describe, expect, it } from '@jest/globals';
import { handOverFailedReplies } from '../../../db/agent/owed.ts';
import { settleOwedChats } from '../../../db/agent/settle-owed.ts';
import { endMessage } from '../../../db/sending/outcome.ts';
import { changeRows, findRows } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);

const settle = async (how: { action: 'answer' | 'hand_over'; assignee?: string }) =>
  (await settleOwedChats(database, { ...SCOPE, sessionId: null }, { ...how, limit: 100, keyId: 'key_1' }))
    .conversationIds;

async function failLast(id: string): Promise<void> {
  const [last] = await findRows(database, 'message', { conversationId: id, origin: 'ai' }, ['id'], {
    newestFirst: 'chatSeq',
  });
  await database.transaction((tx) =>
    endMessage(tx, last?.id ?? '', { status: 'failed', reason: 'backend_refused', detail: null }),
  );
}

async function answered(text = 'Do you have boats?', chat = agent.person()): Promise<string> {
  const id = await agent.write(chat, text);
  await agent.settle(id);
  return id;
}

beforeEach(async () => {
  await agent.startOver();
  await agent.persona({});
  await changeRows(database, 'conversation', { lastInboundAt: null });
});

describe('the chats that are owed an answer', () => {
  it.each(['answer', 'hand_over'] as const)('are none whose turn decided to say nothing, for %s', async (action) => {
    agent.script({ outcome: 'silence' });
    const id = await answered('Thanks, bye!');
    expect(await agent.turnsOf(id)).toMatchObject([{ outcome: 'silence', silenceCode: 'nothing_to_answer' }]);
    expect(await settle({ action })).toEqual([]);
    expect(await settle({ action })).toEqual([]);
  });

  it('are those that the agent was kept from answering, and once a turn has decided they are none', async () => {
    const id = await agent.write(agent.person(), 'Thanks, bye!');
    await agent.hands(id, 'human_takeover');
    await agent.hands(id, 'bot_active');
    expect(await settle({ action: 'answer' })).toEqual([id]);
    agent.script({ outcome: 'silence' });
    await agent.settle(id);
    expect((await agent.turnsOf(id))[0]).toMatchObject({ silenceCode: 'nothing_to_answer' });
    expect(await settle({ action: 'answer' })).toEqual([]);
    expect(await settle({ action: 'hand_over' })).toEqual([]);
  });

  it('are asked again once: where that reply fails, too, a person is named', async () => {
    const id = await answered();
    await failLast(id);
    await handOverFailedReplies(database);
    expect(await settle({ action: 'answer' })).toEqual([id]);
    await agent.settle(id);
    expect(agent.asked).toHaveLength(2);
    await failLast(id);
    await handOverFailedReplies(database);
    expect(await settle({ action: 'answer' })).toEqual([]);
    expect(await settle({ action: 'hand_over', assignee: 'Maria' })).toEqual([id]);
  });

  it('are not handed over while the agent is off', async () => {
    const id = await agent.write(agent.person(), 'Do you have boats?');
    await agent.hands(id, 'human_takeover');
    await agent.hands(id, 'bot_active');
    await changeRows(database, 'tenant', { aiEnabled: false });
    expect(await settle({ action: 'hand_over' })).toEqual([]);
    expect(await settle({ action: 'answer' })).toEqual([]);
    await changeRows(database, 'tenant', { aiEnabled: true });
    expect(await settle({ action: 'hand_over' })).toEqual([id]);
  });

  it('stay with a person where nothing can be answered any more', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, '', { kind: 'other' });
    await changeRows(
      database,
      'conversation',
      { mode: 'human_takeover', takenOverBy: 'agent', assignedReason: 'agent_late' },
      { id },
    );
    await changeRows(database, 'message', { awaitsTurn: false }, { conversationId: id });
    expect(await settle({ action: 'answer' })).toEqual([]);
    expect(await findRows(database, 'conversation', { id }, ['mode'])).toEqual([{ mode: 'human_takeover' }]);
  });
});
