import { describe, expect, it } from '@jest/globals';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { takeOverByPerson } from '../../../db/agent/handover.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { workflowId } from '../../../domain/names.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, countRows } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { sendText, lookForReply } = createStepActivities({ database, automations: new Catalogue({ askSatisfaction }) });
const scope = { ...session, sessionId: session.id };
const { writes, anExecution } = executionScene(database, session);

describe('a person who answers while the agent is off', () => {
  it.each(['reply', 'phone'] as const)('by %s ends the run that waits there, and takes nothing over', async (cause) => {
    await changeRows(database, 'tenant', { aiEnabled: false });
    const [{ executionId, conversationId, chatId }, other] = [await anExecution(), await anExecution()];
    const step = (number: number, name: string) => ({ executionId, number, name, besidePeople: false });
    await sendText({ ...step(1, 'send'), text: 'question' });
    const wait = { ...step(2, 'waitForReply'), timeoutMs: 3_600_000, choices: [], isOver: false };
    expect(await lookForReply(wait)).toMatchObject({ stop: null, messageId: null });
    const by = { actor: 'Ann', keyId: null, cause };
    expect(await database.transaction((tx) => takeOverByPerson(tx, scope, conversationId, by))).toBeNull();
    await writes(chatId, 'Thank you, Ann');
    expect(await lookForReply(wait)).toEqual({ stop: 'taken_over' });
    expect(await sendText({ ...step(3, 'send'), text: 'thanks' })).toEqual({ stop: 'taken_over' });
    expect(
      await countRows(database, 'dispatch', {
        workflowId: workflowId('runAutomation', executionId),
        signal: 'changed',
      }),
    ).toBeGreaterThan(0);
    expect(
      await countRows(database, 'message', {
        conversationId,
        direction: 'out',
        status: 'cancelled',
        errorCode: 'taken_over',
      }),
    ).toBe(1);
    expect(await countRows(database, 'conversation', { id: conversationId, mode: 'bot_active' })).toBe(1);
    const going = { executionId: other.executionId, number: 1, name: 'send', besidePeople: false, text: 'question' };
    expect(await sendText(going)).toMatchObject({ stop: null });
  });
});
