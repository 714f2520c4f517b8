import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { handOver, takeOverByPerson } from '../../../db/agent/handover.ts';
import { stopTenantAi } from '../../../db/agent/takeover.ts';
import { noteActOfPerson } from '../../../db/sending/runs-taken-over.ts';
import { tellLabels } from '../../../db/network/label-event.ts';
import { claimAtOnce } from '../../../db/sending/claim.ts';
import { updateAgentState } from '../../../db/tenants/tenant.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { addMessage, changeRows, databaseNow, findRows } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { sendText, changeHandsFor } = createStepActivities({
  database,
  automations: new Catalogue({ askSatisfaction }),
});
const { anExecution } = executionScene(database, session);
const scope = { ...session, sessionId: null };
const claimOf = () => ({ token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null });

const stepOf = (executionId: string, number: number, name: string, besidePeople = false) => ({
  executionId,
  number,
  name,
  besidePeople,
});
const says = (executionId: string, number: number, besidePeople = false) =>
  sendText({ ...stepOf(executionId, number, 'send', besidePeople), text: 'thanks' });
async function saysId(executionId: string, number: number, besidePeople = false): Promise<string> {
  const said = await says(executionId, number, besidePeople);
  const messageId = said.stop === null ? said.detail['messageId'] : said.stop;
  if (said.stop !== null || typeof messageId !== 'string') throw new Error(`It must not say it: ${said.stop}.`);
  return messageId;
}
const assigns = (executionId: string, number: number, besidePeople = false) =>
  changeHandsFor({
    ...stepOf(executionId, number, 'assignHuman', besidePeople),
    to: 'person',
    assignee: 'ann',
    reason: null,
  });
const releases = (executionId: string, number: number, besidePeople = false) =>
  changeHandsFor({
    ...stepOf(executionId, number, 'release', besidePeople),
    to: 'agent',
    assignee: null,
    reason: null,
  });

async function claim(messageId: string): Promise<string> {
  // Only a few messages of a session may be on their way.
  await changeRows(database, 'message', { status: 'sent' }, { status: 'sending' });
  await changeRows(database, 'message', { releasedAt: databaseNow }, { id: messageId });
  return (await database.statement((tx) => claimAtOnce(tx, messageId, claimOf()))).claim;
}

async function handsOf(conversationId: string) {
  const [found] = await findRows(database, 'conversation', { id: conversationId }, ['mode', 'assignedTo']);
  return found;
}

type Act = (conversationId: string, chatId: string) => Promise<unknown>;
const writes =
  (cause: 'reply' | 'phone'): Act =>
  (conversationId) =>
    database.transaction((tx) => takeOverByPerson(tx, scope, conversationId, { cause, actor: 'ann' }));

/** A person's acts in a conversation that take it from nobody by name. */
const ACTS: [string, Act][] = [
  ['replies', writes('reply')],
  ['writes on the phone', writes('phone')],
  ['edits a message on the phone', edits],
  ['asks for an edit, a reaction or a deletion', (id) => database.transaction((tx) => noteActOfPerson(tx, id))],
  ['labels the chat', labels],
];

async function edits(conversationId: string): Promise<void> {
  const networkId = `OWN${randomUUID()}`;
  await addMessage(database, conversationId, {
    id: `msg_${randomUUID()}`,
    contactId: null,
    direction: 'out',
    origin: 'person',
    body: 'Helo',
    status: 'sent',
    networkId,
  });
  const at = database.clock.now().getTime();
  const by = { fromMe: true, chatId: null, participant: null, aliases: [] };
  const edited = {
    kind: 'edited',
    key: networkId,
    networkId,
    by,
    at,
    toldAt: at,
    editId: 'e',
    unnamedId: null,
    body: 'Hello',
  } as const;
  await database.transaction((tx) => applyNetworkEvent(tx, session, edited));
}

async function labels(_conversationId: string, chatId: string): Promise<void> {
  await database.transaction((tx) => tellLabels(tx, { ...session, sessionId: session.id, chatId }, ['1']));
}

describe.each(ACTS)('a person who %s', (_what, act) => {
  it('ends what a run has queued after it gave them the conversation, and all it would still say', async () => {
    const { executionId, conversationId, chatId } = await anExecution();
    const messageId = await saysId(executionId, 1);
    await assigns(executionId, 2);
    await act(conversationId, chatId);
    expect(await claim(messageId)).not.toBe('claimed');
    expect(await says(executionId, 3)).toEqual({ stop: 'taken_over' });
    expect(await handsOf(conversationId)).toEqual({ mode: 'human_takeover', assignedTo: 'ann' });
  });

  it('is not given over to the agent by the run that gave them the conversation', async () => {
    for (const besidePeople of [false, true]) {
      const { executionId, conversationId, chatId } = await anExecution();
      await assigns(executionId, 1, besidePeople);
      await act(conversationId, chatId);
      await releases(executionId, 2, besidePeople);
      expect(await handsOf(conversationId)).toMatchObject({ mode: 'human_takeover' });
    }
  });

  it('is not spoken over by what was on its way and came back to the queue', async () => {
    const { executionId, conversationId, chatId } = await anExecution();
    const messageId = await saysId(executionId, 1);
    await assigns(executionId, 2);
    expect(await claim(messageId)).toBe('claimed');
    await act(conversationId, chatId);
    await changeRows(database, 'message', { status: 'queued', claimToken: null }, { id: messageId });
    expect(await claim(messageId)).toBe('refused');
  });

  it('is not spoken over by what comes back to the queue after its run has ended', async () => {
    const { executionId, conversationId, chatId } = await anExecution();
    const [messageId, beside] = [await saysId(executionId, 1), await saysId(executionId, 2, true)];
    await changeRows(
      database,
      'automationExecution',
      { status: 'completed', endedAt: databaseNow },
      { id: executionId },
    );
    expect(await claim(messageId)).toBe('claimed');
    await act(conversationId, chatId);
    await changeRows(database, 'message', { status: 'queued', claimToken: null }, { id: messageId });
    expect(await claim(messageId)).toBe('refused');
    expect(await claim(beside)).toBe('claimed');
  });

  it('leaves alone what speaks beside people', async () => {
    const { executionId, conversationId, chatId } = await anExecution();
    const messageId = await saysId(executionId, 1, true);
    await act(conversationId, chatId);
    expect(await claim(messageId)).toBe('claimed');
    expect(await says(executionId, 2, true)).toMatchObject({ stop: null });
  });
});

describe('a run that gives back a conversation', () => {
  it('gives back the one that it took', async () => {
    const { executionId, conversationId } = await anExecution();
    await assigns(executionId, 1);
    await releases(executionId, 2);
    expect(await handsOf(conversationId)).toMatchObject({ mode: 'bot_active' });
  });

  it('leaves alone one that a person or another run took, also if it speaks beside people', async () => {
    const [{ executionId, conversationId }] = [await anExecution()];
    await database.transaction((tx) =>
      handOver(tx, scope, conversationId, { mode: 'human_takeover', cause: 'assign', assignee: 'bob' }),
    );
    await releases(executionId, 1, true);
    expect(await handsOf(conversationId)).toEqual({ mode: 'human_takeover', assignedTo: 'bob' });
  });
});

describe('a person who takes the whole tenant over', () => {
  it('ends the runs of its conversations and what they have queued, and no run begins to speak', async () => {
    const { executionId } = await anExecution();
    const waiting = await anExecution();
    const messageId = await saysId(waiting.executionId, 1);
    const ended = await anExecution();
    const left = await saysId(ended.executionId, 1);
    await changeRows(
      database,
      'automationExecution',
      { status: 'completed', endedAt: databaseNow },
      { id: ended.executionId },
    );
    await database.transaction((tx) => updateAgentState(tx, session, { mode: 'human_takeover' }));
    try {
      expect(await claim(messageId)).toBe('refused');
      await stopTenantAi(database, session);
      const later = await anExecution();
      expect(await says(later.executionId, 1)).toEqual({ stop: 'taken_over' });
      expect(await says(later.executionId, 2, true)).toMatchObject({ stop: null });
    } finally {
      await database.transaction((tx) => updateAgentState(tx, session, { mode: 'bot_active' }));
    }
    expect(await claim(left)).not.toBe('claimed');
    expect(await says(executionId, 1)).toEqual({ stop: 'taken_over' });
    expect(await says(waiting.executionId, 2)).toEqual({ stop: 'taken_over' });
    const { executionId: after } = await anExecution();
    expect(await says(after, 1)).toMatchObject({ stop: null });
  });
});
