import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { takeOverByPerson } from '../../../db/agent/handover.ts';
import { setAutomation } from '../../../db/automations/automation.ts';
import { beginDueExecutions } from '../../../db/automations/due.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimAtOnce } from '../../../db/sending/claim.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { assignUnanswered, nudgeUnread } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import {
  ago,
  changeRows,
  countRows,
  databaseNow,
  findRow,
  findRows,
  fromColumn,
  json,
  not,
} from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { sendText, changeHandsFor, noteSleep, lookForReply } = createStepActivities({
  database,
  automations: new Catalogue({ assignUnanswered, nudgeUnread }),
});
const { writes } = executionScene(database, session);
const scope = { ...session, sessionId: null };
let people = 0;

const stepOf = (executionId: string, number: number, name: string) => ({
  executionId,
  number,
  name,
  besidePeople: true,
});
const saysPatience = (executionId: string, number: number) =>
  sendText({ ...stepOf(executionId, number, 'send'), text: 'patience' });
const assignsBob = (executionId: string, number: number) =>
  changeHandsFor({
    ...stepOf(executionId, number, 'assignHuman'),
    to: 'person',
    assignee: 'bob',
    reason: 'unanswered',
  });

async function setUp(definition: 'assign-unanswered' | 'nudge-unread'): Promise<void> {
  const isNudge = definition === 'nudge-unread';
  const configured = (isNudge ? nudgeUnread : assignUnanswered).configure({});
  if ('wrong' in configured) throw new Error('The definition refuses its own usual parameters.');
  const trigger = { event: isNudge ? 'unread' : 'unanswered', forMinutes: 1 } as const;
  await database.transaction((tx) =>
    setAutomation(tx, session, { ...configured, definition, enabled: true, keyId: 'key', trigger }),
  );
  await changeRows(database, 'automation', { updatedAt: ago({ hours: 1 }) });
}

async function saysByPerson(conversationId: string, body: string): Promise<string> {
  return database.transaction(async (tx) => {
    const accepted = await acceptSend(tx, scope, {
      recipient: { conversationId },
      parts: [{ kind: 'text', body }],
      origin: 'person',
      expires: { afterMs: 600_000 },
    });
    if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
    return accepted.messageId;
  });
}

const makeOlder = async (conversationId: string): Promise<void> => {
  await changeRows(database, 'conversation', { lastMessageAt: ago({ seconds: 90 }) }, { id: conversationId });
};

/** A conversation in which the contact has waited for an answer, and the run that this began. */
async function anUnanswered() {
  const chatId = `1555${9_000_000 + (people += 1)}@c.us`;
  await writes(chatId, 'Is anybody there?');
  const [conversation] = await findRows(database, 'conversation', { chatId }, ['id']);
  const conversationId = conversation?.id ?? '';
  await makeOlder(conversationId);
  return { chatId, conversationId, executionId: await begun(conversationId) };
}

async function begun(conversationId: string): Promise<string> {
  await database.transaction((tx) => beginDueExecutions(tx, 10));
  const [found] = await findRows(database, 'automationExecution', { conversationId }, ['id']);
  if (!found) throw new Error('Nothing was begun.');
  return found.id;
}

async function claim(messageId: string) {
  await changeRows(database, 'message', { releasedAt: databaseNow }, { id: messageId });
  const token = { token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null };
  return database.statement((tx) => claimAtOnce(tx, messageId, token));
}

function idOf(taken: Awaited<ReturnType<typeof sendText>>): string {
  const messageId = taken.stop === null ? taken.detail['messageId'] : undefined;
  if (typeof messageId !== 'string') throw new Error(`It has said nothing: ${taken.stop}.`);
  return messageId;
}

describe('a run that began because nobody had answered', () => {
  beforeEach(() => setUp('assign-unanswered'));

  it('ends without a word where a person has answered since', async () => {
    const { executionId, conversationId } = await anUnanswered();
    await saysByPerson(conversationId, 'Yes, it is 42.');
    expect(await assignsBob(executionId, 1)).toEqual({ stop: 'no_longer_so' });
    expect(await saysPatience(executionId, 2)).toEqual({ stop: 'no_longer_so' });
    expect(await findRows(database, 'conversation', { id: conversationId }, ['mode', 'assignedTo'])).toEqual([
      { mode: 'bot_active', assignedTo: null },
    ]);
  });

  it('ends where a person has done something else, or the contact has written again', async () => {
    const acted = await anUnanswered();
    await database.transaction((tx) => takeOverByPerson(tx, scope, acted.conversationId, { cause: 'phone' }));
    expect(await assignsBob(acted.executionId, 1)).toEqual({ stop: 'no_longer_so' });
    const wrote = await anUnanswered();
    await writes(wrote.chatId, 'Hello?');
    expect(await saysPatience(wrote.executionId, 1)).toEqual({ stop: 'no_longer_so' });
  });

  it('looks at its first visible step, so that it hears a reply before it', async () => {
    const { executionId, chatId } = await anUnanswered();
    const wait = { ...stepOf(executionId, 1, 'waitForReply'), timeoutMs: 60_000, choices: [], isOver: false };
    await lookForReply(wait);
    await writes(chatId, 'Forget it');
    expect(await lookForReply(wait)).toMatchObject({ stop: null, messageId: expect.any(String) });
    expect(await noteSleep({ ...stepOf(executionId, 2, 'sleep'), forMs: 1, isOver: true })).toMatchObject({
      stop: null,
    });
    expect(await assignsBob(executionId, 3)).toEqual({ stop: 'no_longer_so' });
  });

  it('does all that it has to do where it is still so', async () => {
    const { executionId, conversationId } = await anUnanswered();
    expect(await assignsBob(executionId, 1)).toMatchObject({ stop: null });
    const [first, second] = [await saysPatience(executionId, 2), await saysPatience(executionId, 3)];
    for (const said of [first, second]) {
      const messageId = idOf(said);
      expect(await claim(messageId)).toMatchObject({ claim: 'claimed' });
      await changeRows(database, 'message', { status: 'sent', networkId: fromColumn('id') }, { id: messageId });
    }
    expect(await findRows(database, 'conversation', { id: conversationId }, ['assignedTo'])).toEqual([
      { assignedTo: 'bob' },
    ]);
  });

  /** The account has sent something that no send explains; it is shown while it is being matched. */
  async function isBeingMatched(chatId: string, body: string): Promise<void> {
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
    const networkId = `OWN${randomUUID()}`;
    const message = aNetworkMessage({ networkId, chatId, timestamp, body, fromMe: true, source: 'unknown' });
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message }));
    expect(await countRows(database, 'message', { matchingNetworkId: networkId })).toBe(1);
  }

  it('goes on beside a message that is being matched, because that may be its own', async () => {
    const { executionId, chatId } = await anUnanswered();
    await saysPatience(executionId, 1);
    await isBeingMatched(chatId, 'patience, in words of the engine');
    expect(idOf(await saysPatience(executionId, 2))).toEqual(expect.any(String));
  });

  it('ends where the contact has written before a message that is being matched', async () => {
    const { executionId, chatId } = await anUnanswered();
    await writes(chatId, 'Hello?');
    await isBeingMatched(chatId, 'Who knows who wrote this?');
    expect(await saysPatience(executionId, 1)).toEqual({ stop: 'no_longer_so' });
  });

  it('has its queued words refused at the claim once somebody has answered before them', async () => {
    const { executionId, conversationId } = await anUnanswered();
    await assignsBob(executionId, 1);
    const messageId = idOf(await saysPatience(executionId, 2));
    await saysByPerson(conversationId, 'It is 42.');
    expect(await claim(messageId)).toMatchObject({ claim: 'refused', status: 'cancelled', reason: 'no_longer_so' });
  });

  it('says what follows the reply that it has heard', async () => {
    const { executionId, chatId } = await anUnanswered();
    await saysPatience(executionId, 1);
    const wait = { ...stepOf(executionId, 2, 'waitForReply'), timeoutMs: 60_000, choices: [], isOver: false };
    await lookForReply(wait);
    await writes(chatId, 'Thank you');
    expect(await lookForReply(wait)).toMatchObject({ stop: null, messageId: expect.any(String) });
    const said = await saysPatience(executionId, 3);
    await changeRows(
      database,
      'message',
      { status: 'sent', networkId: fromColumn('id') },
      { executionId, id: not(idOf(said)) },
    );
    expect(await claim(idOf(said))).toMatchObject({ claim: 'claimed' });
  });
});

describe('a run that began because a message was not read', () => {
  beforeEach(() => setUp('nudge-unread'));

  it('ends without a word where the contact has read it since', async () => {
    const chatId = `1555${9_000_000 + (people += 1)}@c.us`;
    await writes(chatId, 'Good morning');
    const [conversation] = await findRows(database, 'conversation', { chatId }, ['id']);
    const conversationId = conversation?.id ?? '';
    const messageId = await saysByPerson(conversationId, 'Our offer');
    await changeRows(database, 'message', { status: 'delivered', networkId: fromColumn('id') }, { id: messageId });
    await makeOlder(conversationId);
    const executionId = await begun(conversationId);
    await changeRows(database, 'message', { status: 'read' }, { id: messageId });
    const nudge = { executionId, number: 1, name: 'send', besidePeople: false, text: 'nudge' };
    expect(await sendText(nudge)).toEqual({ stop: 'no_longer_so' });
  });
});

describe('a run that began at a time of the day', () => {
  it('ends without a word where it gets to work hours later', async () => {
    await setUp('assign-unanswered');
    const { executionId } = await anUnanswered();
    await changeRows(database, 'automationExecution', { trigger: json({ event: 'schedule' }) }, { id: executionId });
    const { createdAt } = await findRow(database, 'automationExecution', { id: executionId }, ['createdAt']);
    const late = (hours: number) =>
      changeRows(
        database,
        'automationExecution',
        { startedAt: new Date(Date.parse(createdAt) + hours * 3_600_000) },
        { id: executionId },
      );
    await late(3);
    expect(await saysPatience(executionId, 1)).toEqual({ stop: 'no_longer_so' });
    await late(1);
    expect(await saysPatience(executionId, 1)).toMatchObject({ stop: null });
  });
});
