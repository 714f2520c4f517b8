import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
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
import { countOf, rowsOf } from '../../support/rows.ts';
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
  await rowsOf(database, sql`update automation set updated_at = now() - interval '1 hour'`);
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

const ago = async (conversationId: string): Promise<void> => {
  await rowsOf(
    database,
    sql`update conversation set last_message_at = now() - interval '90 seconds' where id = ${conversationId}`,
  );
};

/** A conversation in which the contact has waited for an answer, and the run that this began. */
async function anUnanswered() {
  const chatId = `1555${9_000_000 + (people += 1)}@c.us`;
  await writes(chatId, 'Is anybody there?');
  const [conversation] = await rowsOf(
    database,
    sql<{ id: string }>`select id from conversation where chat_id = ${chatId}`,
  );
  const conversationId = conversation?.id ?? '';
  await ago(conversationId);
  return { chatId, conversationId, executionId: await begun(conversationId) };
}

async function begun(conversationId: string): Promise<string> {
  await database.transaction((tx) => beginDueExecutions(tx, 10));
  const [found] = await rowsOf(
    database,
    sql<{ id: string }>`select id from automation_execution where conversation_id = ${conversationId}`,
  );
  if (!found) throw new Error('Nothing was begun.');
  return found.id;
}

async function claim(messageId: string) {
  await rowsOf(database, sql`update message set released_at = now() where id = ${messageId}`);
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
    const hands = sql<object>`select mode, assigned_to from conversation where id = ${conversationId}`;
    expect(await rowsOf(database, hands)).toEqual([{ mode: 'bot_active', assigned_to: null }]);
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
      await rowsOf(database, sql`update message set status = 'sent', network_id = id where id = ${messageId}`);
    }
    const hands = sql<object>`select assigned_to from conversation where id = ${conversationId}`;
    expect(await rowsOf(database, hands)).toEqual([{ assigned_to: 'bob' }]);
  });

  /** The account has sent something that no send explains; it is shown while it is being matched. */
  async function isBeingMatched(chatId: string, body: string): Promise<void> {
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
    const networkId = `OWN${randomUUID()}`;
    const message = aNetworkMessage({ networkId, chatId, timestamp, body, fromMe: true, source: 'unknown' });
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message }));
    const shown = sql`message where matching_network_id = ${networkId}`;
    expect(await countOf(database, shown)).toBe(1);
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
    await rowsOf(
      database,
      sql`update message set status = 'sent', network_id = id
      where execution_id = ${executionId} and id <> ${idOf(said)}`,
    );
    expect(await claim(idOf(said))).toMatchObject({ claim: 'claimed' });
  });
});

describe('a run that began because a message was not read', () => {
  beforeEach(() => setUp('nudge-unread'));

  it('ends without a word where the contact has read it since', async () => {
    const chatId = `1555${9_000_000 + (people += 1)}@c.us`;
    await writes(chatId, 'Good morning');
    const [conversation] = await rowsOf(
      database,
      sql<{ id: string }>`select id from conversation where chat_id = ${chatId}`,
    );
    const conversationId = conversation?.id ?? '';
    const messageId = await saysByPerson(conversationId, 'Our offer');
    await rowsOf(database, sql`update message set status = 'delivered', network_id = id where id = ${messageId}`);
    await ago(conversationId);
    const executionId = await begun(conversationId);
    await rowsOf(database, sql`update message set status = 'read' where id = ${messageId}`);
    const nudge = { executionId, number: 1, name: 'send', besidePeople: false, text: 'nudge' };
    expect(await sendText(nudge)).toEqual({ stop: 'no_longer_so' });
  });
});

describe('a run that began at a time of the day', () => {
  it('ends without a word where it gets to work hours later', async () => {
    await setUp('assign-unanswered');
    const { executionId } = await anUnanswered();
    const late = (hours: number) => sql`update automation_execution set trigger = '{"event": "schedule"}',
      started_at = created_at + ${hours} * interval '1 hour' where id = ${executionId}`;
    await rowsOf(database, late(3));
    expect(await saysPatience(executionId, 1)).toEqual({ stop: 'no_longer_so' });
    await rowsOf(database, late(1));
    expect(await saysPatience(executionId, 1)).toMatchObject({ stop: null });
  });
});
