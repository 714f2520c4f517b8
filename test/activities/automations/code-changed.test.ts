import { describe, expect, it } from '@jest/globals';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { findRows } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { sendText, noteWord, lookForReply, noteSleep } = createStepActivities({
  database,
  automations: new Catalogue({ askSatisfaction }),
});
const { anExecution, sentIn, stateOf } = executionScene(database, session);
const stepOf = (executionId: string, number: number, name: string) => ({
  executionId,
  number,
  name,
  besidePeople: false,
});
const waits = { timeoutMs: 3_600_000, choices: [], isOver: false };

/** A run that has asked its question and waits for the reply, by the code of before. */
async function aRunThatWaits() {
  const run = await anExecution();
  await sendText({ ...stepOf(run.executionId, 1, 'send'), text: 'question' });
  await lookForReply({ ...stepOf(run.executionId, 2, 'waitForReply'), ...waits });
  return run;
}

const FAILED = { status: 'failed', reason: 'code_changed' };

describe('a run that is begun again with other code', () => {
  it('ends with the names of both steps where a step was put before the others, and sends nothing twice', async () => {
    const { executionId, conversationId } = await aRunThatWaits();
    await expect(noteWord({ ...stepOf(executionId, 1, 'log'), detail: { word: 'begun' } })).rejects.toThrow(
      'Step 1 was "send" before the execution began again, and is "log" now.',
    );
    expect(await stateOf(executionId)).toMatchObject(FAILED);
    await expect(sendText({ ...stepOf(executionId, 2, 'send'), text: 'question' })).rejects.toThrow('"waitForReply"');
    expect(await sentIn(conversationId)).toBe(1);
    expect(await findRows(database, 'automationStep', { executionId }, ['name', 'detail'], 'number')).toMatchObject([
      { name: 'send', detail: { changedTo: 'log' } },
      { name: 'waitForReply', detail: { changedTo: 'send' } },
    ]);
  });

  it('ends where a step was taken away, so that no later one is left out as done', async () => {
    const { executionId } = await aRunThatWaits();
    await expect(noteSleep({ ...stepOf(executionId, 1, 'sleep'), forMs: 1, isOver: true })).rejects.toThrow('"sleep"');
    expect(await stateOf(executionId)).toMatchObject(FAILED);
  });

  it('goes on where the code is the same, and does no step again', async () => {
    const { executionId, conversationId } = await aRunThatWaits();
    expect(await sendText({ ...stepOf(executionId, 1, 'send'), text: 'question' })).toMatchObject({ stop: null });
    const again = await lookForReply({ ...stepOf(executionId, 2, 'waitForReply'), ...waits });
    expect(again).toMatchObject({ stop: null, messageId: null });
    expect(await sentIn(conversationId)).toBe(1);
    expect(await stateOf(executionId)).toMatchObject({ status: 'running', reason: null });
  });
});
