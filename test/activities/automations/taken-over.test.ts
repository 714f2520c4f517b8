import { describe, expect, it } from '@jest/globals';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { handOver } from '../../../db/agent/handover.ts';
import type { Handover } from '../../../db/agent/handover.ts';
import { listAiInFlight } from '../../../db/agent/takeover.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, countRows, findRows } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { sendText, changeHandsFor, noteSleep } = createStepActivities({
  database,
  automations: new Catalogue({ askSatisfaction }),
});
const { anExecution, begins, sentIn } = executionScene(database, session);
const AN_HOUR_MS = 3_600_000;

const TAKEN: Handover = { mode: 'human_takeover', cause: 'assign' };
const RELEASED: Handover = { mode: 'bot_active', cause: 'release' };
async function hands(conversationId: string, ...changes: Handover[]): Promise<void> {
  for (const to of changes) {
    await database.transaction((tx) => handOver(tx, { ...session, sessionId: null }, conversationId, to));
  }
}
const step = (executionId: string, number: number, besidePeople = false) => ({
  executionId,
  number,
  name: 'send',
  besidePeople,
});
const says = (executionId: string, number: number, besidePeople = false) =>
  sendText({ ...step(executionId, number, besidePeople), text: 'thanks' });
const sleeps = (executionId: string, besidePeople = false) =>
  noteSleep({ executionId, number: 1, name: 'sleep', besidePeople, forMs: AN_HOUR_MS, isOver: false });

describe('a person who takes the conversation of a run over and releases it', () => {
  it('is not talked over afterwards', async () => {
    const { executionId, conversationId } = await anExecution();
    await hands(conversationId, TAKEN, RELEASED);
    expect(await says(executionId, 1)).toEqual({ stop: 'taken_over' });
    expect(await sentIn(conversationId)).toBe(0);
  });

  it('leaves alone the automations that go on beside people', async () => {
    const { executionId, conversationId } = await anExecution();
    await hands(conversationId, TAKEN, RELEASED);
    expect(await sleeps(executionId, true)).toMatchObject({ stop: null });
    expect(await says(executionId, 2, true)).toMatchObject({ stop: null });
  });

  it('leaves alone a run that begins after the takeover, and one that begins with the release', async () => {
    const { conversationId } = await anExecution();
    await hands(conversationId, TAKEN);
    const during = await begins(conversationId);
    expect(await sleeps(during)).toMatchObject({ stop: null });
    await hands(conversationId, RELEASED);
    const after = await begins(conversationId);
    expect(await says(during, 2)).toMatchObject({ stop: null });
    expect(await says(after, 1)).toMatchObject({ stop: null });
  });

  it('ends a run that waits at once', async () => {
    const { executionId, conversationId } = await anExecution();
    await sleeps(executionId);
    await hands(conversationId, TAKEN);
    expect(
      await countRows(database, 'dispatch', { workflowId: `automation/${executionId}`, signal: 'changed' }),
    ).toBeGreaterThan(0);
    expect(await sleeps(executionId)).toEqual({ stop: 'taken_over' });
  });

  it('does not get what the run had in the queue', async () => {
    const { executionId, conversationId } = await anExecution();
    await says(executionId, 1);
    await says(executionId, 2, true);
    await hands(conversationId, TAKEN, RELEASED);
    expect(
      await findRows(database, 'message', { conversationId, direction: 'out' }, ['status'], 'chatSeq'),
    ).toMatchObject([{ status: 'cancelled' }, { status: 'queued' }]);
  });

  it('is not talked over in a conversation that became one with the one they had', async () => {
    const [theirs, other] = [await anExecution(), await anExecution()];
    await hands(theirs.conversationId, TAKEN);
    const into = await database.transaction((tx) => adoptChatId(tx, theirs.conversationId, other.chatId));
    await hands(into, RELEASED);
    expect(await says(other.executionId, 1)).toEqual({ stop: 'taken_over' });
  });

  it('is not talked over where they took over the conversation that two became', async () => {
    const runs = [await anExecution(), await anExecution()] as const;
    const into = await database.transaction((tx) => adoptChatId(tx, runs[0].conversationId, runs[1].chatId));
    await hands(into, TAKEN, RELEASED);
    for (const { executionId } of runs) expect(await says(executionId, 1)).toEqual({ stop: 'taken_over' });
  });
});

describe('a run that gives its conversation to a person itself', () => {
  it('goes on after the release, and ends the other runs there', async () => {
    const { executionId, conversationId } = await anExecution();
    const other = await begins(conversationId);
    await says(executionId, 1);
    const assigns = { ...step(executionId, 2), to: 'person', assignee: null, reason: null } as const;
    expect(await changeHandsFor(assigns)).toMatchObject({ stop: null });
    await hands(conversationId, RELEASED);
    expect(await says(executionId, 3)).toMatchObject({ stop: null });
    expect(await countRows(database, 'message', { conversationId, direction: 'out', status: 'queued' })).toBe(2);
    expect(await says(other, 1)).toEqual({ stop: 'taken_over' });
  });
});

describe('a person who takes a conversation over', () => {
  it('is told of a text of an automation that may still reach the backend', async () => {
    const { executionId, conversationId } = await anExecution();
    await sendText({ executionId, number: 1, name: 'send', besidePeople: false, text: 'question' });
    const inFlight = () =>
      database.read((queries) => listAiInFlight(queries, { ...session, sessionId: null }, conversationId));
    expect(await inFlight()).toEqual([]);
    await changeRows(database, 'message', { status: 'sending' }, { conversationId, direction: 'out' });
    expect(await inFlight()).toHaveLength(1);
  });
});
