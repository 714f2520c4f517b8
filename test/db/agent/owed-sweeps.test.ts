import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { handOverFailedReplies, handOverLateTurns } from '../../../db/agent/owed.ts';
import { settleOwedChats } from '../../../db/agent/settle-owed.ts';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import { waiveAnswers } from '../../../db/conversations/read-marks.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { applyAcks, endMessage, recordSent } from '../../../db/sending/outcome.ts';
import { changeRows, countBlockedHere, countRows, deleteRows, findRow, findRows } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const QUESTION = 'Do you have any boats with a motor and four seats?';

const notes = () => countRows(database, 'failedReply');

const conversation = (id: string) =>
  findRow(database, 'conversation', { id }, { mode: 'mode', reason: 'assignedReason', unread: 'unreadCount' });

async function lastReply(id: string): Promise<string> {
  const [last] = await findRows(database, 'message', { conversationId: id, origin: 'ai' }, ['id'], {
    newestFirst: 'chatSeq',
  });
  return last?.id ?? '';
}

async function failLast(id: string, reason: 'expired' | 'backend_refused' = 'backend_refused'): Promise<void> {
  const messageId = await lastReply(id);
  await database.transaction((tx) => endMessage(tx, messageId, { status: 'failed', reason, detail: null }));
}

/** The network takes the agent's last message and fails it afterwards. */
async function failSent(id: string): Promise<void> {
  const messageId = await lastReply(id);
  const token = randomUUID();
  const networkId = `OUT${messageId}`;
  await database.transaction((tx) => claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null }));
  await database.transaction((tx) => recordSent(tx, { messageId, conversationId: id, token, networkId }));
  await database.transaction((tx) => applyAcks(tx, [{ sessionId, networkId, level: -1, error: null }]));
}

async function answered(chat = agent.person()): Promise<string> {
  const id = await agent.write(chat, QUESTION);
  await agent.settle(id);
  return id;
}

beforeEach(async () => {
  await agent.startOver();
  await agent.persona({});
  await deleteRows(database, 'failedReply');
});

describe('the sweep of failed replies', () => {
  it('counts what is unread once, however many processes look at a time', async () => {
    const id = await answered();
    await failSent(id);
    let sweeps: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await lockConversation(tx, id);
      let areDone = false;
      sweeps = Promise.all([handOverFailedReplies(database), handOverFailedReplies(database)]).finally(() => {
        areDone = true;
      });
      for (;;) {
        if (areDone || (await countBlockedHere(database)) >= 2) break;
      }
    });
    await sweeps;
    await handOverFailedReplies(database);
    await handOverFailedReplies(database);
    expect(await conversation(id)).toEqual({ mode: 'human_takeover', reason: 'reply_failed', unread: 1 });
    expect(await notes()).toBe(0);
  });

  it('keeps what was not decided, because a merge leads elsewhere', async () => {
    const [id, into] = [await answered(), await answered()];
    await failLast(id);
    await changeRows(database, 'conversation', { mergedInto: into }, { id });
    await handOverFailedReplies(database);
    expect(await notes()).toBe(1);
    expect(await conversation(into)).toMatchObject({ mode: 'bot_active' });
    await changeRows(database, 'conversation', { mergedInto: null }, { id });
    await handOverFailedReplies(database);
    expect(await notes()).toBe(0);
    expect(await conversation(id)).toMatchObject({ mode: 'human_takeover', reason: 'reply_failed' });
  });

  it('waits for the end of a suspension', async () => {
    const id = await answered();
    await changeRows(database, 'agency', { status: 'suspended' });
    await failLast(id, 'expired');
    await handOverFailedReplies(database);
    expect(await conversation(id)).toMatchObject({ mode: 'bot_active' });
    await changeRows(database, 'agency', { status: 'active' });
    await handOverFailedReplies(database);
    expect(await conversation(id)).toMatchObject({ mode: 'human_takeover', reason: 'reply_expired' });
  });

  it.each([
    ['answers the repeated words', { outcome: 'reply', text: 'Yes.' }, 'bot_active'],
    ['hands over once the turn of the repeated words ends in silence', { outcome: 'silence' }, 'human_takeover'],
  ] as const)('%s after the reply to the first has failed', async (_, decision, mode) => {
    const chat = agent.person();
    const id = await answered(chat);
    await agent.write(chat, QUESTION);
    await failLast(id);
    await handOverFailedReplies(database);
    expect(await conversation(id)).toMatchObject({ mode: 'bot_active' });
    agent.script(decision);
    await agent.settle(id);
    expect(agent.asked).toHaveLength(2);
    await handOverFailedReplies(database);
    expect(await conversation(id)).toMatchObject({ mode });
    expect(await notes()).toBe(0);
  });

  it('lets the agent answer words again that the contact wrote twice', async () => {
    const chat = agent.person();
    await agent.write(chat, QUESTION);
    const id = await answered(chat);
    await failLast(id);
    await handOverFailedReplies(database);
    const scope = { ...SCOPE, sessionId: null };
    const settled = await settleOwedChats(database, scope, { action: 'answer', limit: 100, keyId: 'key_1' });
    expect(settled.conversationIds).toContain(id);
    await agent.settle(id);
    expect((await agent.turnsOf(id))[0]).toMatchObject({ outcome: 'reply', silenceCode: null });
  });
});

describe('the bound of the persona', () => {
  it('does not count the time for which the agent lets the contact write', async () => {
    await agent.persona({ answerWithinMinutes: 1, quietPeriodMs: 60_000, maxWaitMs: 120_000 });
    const [chat, idle] = [agent.person(), await agent.write(agent.person(), 'Do you have oars?')];
    const id = await agent.write(chat, QUESTION);
    database.clock.advance(50_000);
    await agent.write(chat, 'And with a roof?');
    database.clock.advance(15_000);
    await handOverLateTurns(database);
    expect(await conversation(id)).toMatchObject({ mode: 'bot_active' });
    await agent.settle(id);
    expect((await agent.turnsOf(id))[0]).toMatchObject({ outcome: 'reply', silenceCode: null });
    database.clock.advance(180_000);
    await handOverLateTurns(database);
    expect(await conversation(idle)).toMatchObject({ mode: 'human_takeover', reason: 'agent_late' });
  });

  it('passes over words that need no answer', async () => {
    const [id, waits] = [await agent.write(agent.person(), 'Bye!'), await agent.write(agent.person(), QUESTION)];
    await database.transaction(async (tx) => waiveAnswers(tx, await lockConversation(tx, id), null));
    database.clock.advance(2 * 60 * 60_000);
    await handOverLateTurns(database);
    expect(await conversation(id)).toMatchObject({ mode: 'bot_active' });
    expect(await conversation(waits)).toMatchObject({ mode: 'human_takeover' });
  });
});
