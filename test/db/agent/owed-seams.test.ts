import { beforeEach, describe, expect, it } from '@jest/globals';
import { handOverFailedReplies, handOverLateTurns } from '../../../db/agent/owed.ts';
import { returnToAgent, settleOwedChats } from '../../../db/agent/settle-owed.ts';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import { waiveAnswers } from '../../../db/conversations/read-marks.ts';
import { endMessage } from '../../../db/sending/outcome.ts';
import { changeRows, countRows, findRow, findRows } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);

const settle = async () => {
  const how = { action: 'answer', limit: 100, keyId: 'key_1' } as const;
  return (await settleOwedChats(database, { ...SCOPE, sessionId: null }, how)).conversationIds;
};

/** A chat that the agent has left to people, because its reply failed. */
async function owedIn(chatId: string): Promise<string> {
  const id = await agent.write(chatId, 'Do you have boats?');
  await agent.settle(id);
  const replies = await findRows(database, 'message', { conversationId: id, origin: 'ai' }, ['id']);
  const [reply] = replies;
  await database.transaction((tx) =>
    endMessage(tx, reply?.id ?? '', { status: 'failed', reason: 'backend_refused', detail: null }),
  );
  await handOverFailedReplies(database);
  expect(await findRow(database, 'conversation', { id }, ['takenOverBy', 'assignedReason'])).toEqual({
    takenOverBy: 'agent',
    assignedReason: 'reply_failed',
  });
  return id;
}

beforeEach(async () => {
  await agent.startOver();
  await changeRows(database, 'conversation', { lastInboundAt: null });
});

describe('a chat that is owed to people', () => {
  it.each(['the phone', 'the hidden id'] as const)(
    "is the person's who has the other one of the same contact, where that of %s is owed",
    async (owed) => {
      const phone = agent.person();
      const hidden = phone.replace('@c.us', '@lid');
      const [left, taken] = owed === 'the phone' ? [phone, hidden] : [hidden, phone];
      await owedIn(left);
      const other = await agent.write(taken, 'And a mast?');
      await agent.hands(other, 'human_takeover');
      await agent.write(hidden, 'Hello?', { aliases: [phone] });
      const now = await agent.write(phone, 'Is anybody there?');
      expect(await findRow(database, 'conversation', { id: now }, ['mode', 'takenOverBy'])).toEqual({
        mode: 'human_takeover',
        takenOverBy: 'assign',
      });
      expect(await settle()).toEqual([]);
      expect(await findRow(database, 'conversation', { id: now }, ['mode'])).toEqual({ mode: 'human_takeover' });
    },
  );

  it('is answered again when the agent returns to it and nobody has answered', async () => {
    await agent.persona({ autoReturnHours: 1 });
    const id = await owedIn(agent.person());
    expect(agent.asked).toHaveLength(1);
    database.clock.advance(2 * 3_600_000);
    expect(await database.transaction((tx) => returnToAgent(tx, id))).toBe(true);
    await agent.settle(id);
    expect(agent.asked).toHaveLength(2);
    expect((await agent.turnsOf(id))[0]).toMatchObject({ outcome: 'reply' });
  });
});

describe('a chat to which the agent returns after more than a day', () => {
  it('is answered when a person decides so, and not by itself', async () => {
    await agent.persona({ autoReturnHours: 30 });
    const id = await owedIn(agent.person());
    database.clock.advance(31 * 3_600_000);
    expect(await database.transaction((tx) => returnToAgent(tx, id))).toBe(true);
    await agent.settle(id);
    expect(agent.asked).toHaveLength(1);
    expect(await findRow(database, 'conversation', { id }, ['mode'])).toEqual({ mode: 'bot_active' });
  });
});

describe('a message of which a person has said that it needs no answer', () => {
  it('is owed no turn, and nobody gets the chat for it', async () => {
    const id = await agent.write(agent.person(), 'Thanks!');
    await database.transaction(async (tx) => waiveAnswers(tx, await lockConversation(tx, id), null));
    expect(await countRows(database, 'message', { conversationId: id, awaitsTurn: true })).toBe(0);
    database.clock.advance(2 * 3_600_000);
    await handOverLateTurns(database);
    await agent.settle(id);
    expect(await agent.turnsOf(id)).toEqual([]);
    expect(await findRow(database, 'conversation', { id }, ['mode'])).toEqual({ mode: 'bot_active' });
  });
});
