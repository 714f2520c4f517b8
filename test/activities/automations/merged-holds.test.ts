import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { takeOverByPerson } from '../../../db/agent/handover.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import { unmergeContact } from '../../../db/network/unmerge/unmerge.ts';
import { claimAtOnce } from '../../../db/sending/claim.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, databaseNow, findRows } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { sendText, changeHandsFor } = createStepActivities({
  database,
  automations: new Catalogue({ askSatisfaction }),
});
const { anExecution } = executionScene(database, session);
const scope = { ...session, sessionId: null };

const stepOf = (executionId: string, number: number, name: string) => ({
  executionId,
  number,
  name,
  besidePeople: false,
});
const assigns = (executionId: string, number: number) =>
  changeHandsFor({ ...stepOf(executionId, number, 'assignHuman'), to: 'person', assignee: 'ann', reason: null });
const releases = (executionId: string, number: number) =>
  changeHandsFor({ ...stepOf(executionId, number, 'release'), to: 'agent', assignee: null, reason: null });
const writes = (conversationId: string) =>
  database.transaction((tx) => takeOverByPerson(tx, scope, conversationId, { cause: 'reply', actor: 'bob' }));
const merge = ({ conversationId }: { conversationId: string }, { chatId }: { chatId: string }) =>
  database.transaction((tx) => adoptChatId(tx, conversationId, chatId));

async function modeOf(conversationId: string): Promise<string | undefined> {
  const found = await findRows(database, 'conversation', { id: conversationId }, ['mode']);
  return found[0]?.mode;
}

async function unmerge(executionId: string): Promise<void> {
  const [run] = await findRows(database, 'automationExecution', { id: executionId }, { contact: 'contactId' });
  const undone = await database.transaction((tx) => unmergeContact(tx, session.agencyId, run?.contact ?? ''));
  expect(undone.outcome).toBe('parted');
}

/** Two conversations, of which a run has given one to a person. */
async function aHold() {
  const [held, other] = [await anExecution(), await anExecution()];
  const said = await sendText({ ...stepOf(held.executionId, 1, 'send'), text: 'thanks' });
  await assigns(held.executionId, 2);
  const messageId = said.stop === null ? said.detail['messageId'] : null;
  return { held, other, messageId: typeof messageId === 'string' ? messageId : '' };
}

const claim = async (messageId: string) => {
  await changeRows(database, 'message', { status: 'sent' }, { status: 'sending' });
  await changeRows(database, 'message', { releasedAt: databaseNow }, { id: messageId });
  const by = { token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null };
  return (await database.statement((tx) => claimAtOnce(tx, messageId, by))).claim;
};

describe('a conversation that a run has given to a person, and that became one with another', () => {
  for (const direction of ['goes into the other', 'takes the other in'])
    it(`is still the run's to give back where nobody has touched it, and says what it had said (it ${direction})`, async () => {
      const { held, other, messageId } = await aHold();
      const into = direction === 'goes into the other' ? await merge(held, other) : await merge(other, held);
      expect(await modeOf(into)).toBe('human_takeover');
      expect(await claim(messageId)).toBe('claimed');
      await releases(held.executionId, 3);
      expect(await modeOf(into)).toBe('bot_active');
    });

  it('is not, once a person has written in it, before the merge or after it', async () => {
    const [before, after] = [await aHold(), await aHold()];
    await writes(before.held.conversationId);
    for (const { held, other } of [before, after]) {
      const into = await merge(held, other);
      if (held === after.held) await writes(into);
      expect(await releases(held.executionId, 3)).toEqual({ stop: 'taken_over' });
      expect(await modeOf(into)).toBe('human_takeover');
    }
  });

  it('is not where a person, or another run, has taken the other one', async () => {
    const [byPerson, byRun] = [await aHold(), await aHold()];
    await writes(byPerson.other.conversationId);
    await assigns(byRun.other.executionId, 1);
    for (const { held, other } of [byPerson, byRun]) {
      const into = await merge(held, other);
      for (const { executionId } of [held, other]) {
        expect(await releases(executionId, 3)).toEqual({ stop: 'taken_over' });
        expect(await modeOf(into)).toBe('human_takeover');
      }
    }
  });

  it("is the run's again when the merge is undone, and the other one is its owner's", async () => {
    const { held, other, messageId } = await aHold();
    await merge(held, other);
    await unmerge(held.executionId);
    expect([await modeOf(held.conversationId), await modeOf(other.conversationId)]).toEqual([
      'human_takeover',
      'bot_active',
    ]);
    expect(await claim(messageId)).toBe('claimed');
    await releases(held.executionId, 3);
    expect(await modeOf(held.conversationId)).toBe('bot_active');
  });

  it('stays with the person in both when the run took it while they were one', async () => {
    const [mine, other] = [await anExecution(), await anExecution()];
    await merge(mine, other);
    await assigns(mine.executionId, 1);
    await unmerge(mine.executionId);
    await releases(mine.executionId, 2);
    expect([await modeOf(mine.conversationId), await modeOf(other.conversationId)]).toEqual([
      'bot_active',
      'human_takeover',
    ]);
  });
});
