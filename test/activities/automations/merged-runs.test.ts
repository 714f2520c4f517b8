import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { listExecutions } from '../../../db/automations/execution-list.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import { listEngineExecutions } from '../../../db/operations/executions.ts';
import { run } from '../../../db/engine/rows.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { workflowId } from '../../../domain/names.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, countOf, countRows, plus } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { sendText, changeHandsFor, lookForReply } = createStepActivities({
  database,
  automations: new Catalogue({ askSatisfaction }),
});
const AN_HOUR_MS = 3_600_000;
const aStep = (executionId: string, number: number, name: string) => ({
  executionId,
  number,
  name,
  besidePeople: false,
});

const { writes, anExecution, sentIn } = executionScene(database, session);

describe('a run whose conversation became one with another', () => {
  it('acts in that one, and on nothing that a person has taken over there', async () => {
    const runs = [await anExecution(), await anExecution()] as const;
    const [{ conversationId: first }, { chatId: second }] = runs;
    const into = await database.transaction((tx) => adoptChatId(tx, first, second));
    const step = (executionId: string, number: number) => ({ executionId, number, name: 'send', besidePeople: false });
    for (const { executionId } of runs) {
      expect(await sendText({ ...step(executionId, 1), text: 'question' })).toMatchObject({ stop: null });
    }
    expect(await sentIn(into)).toBe(2);
    await changeRows(database, 'conversation', { mode: 'human_takeover', epoch: plus(1) }, { id: into });
    for (const { executionId } of runs) {
      const release = { ...step(executionId, 2), to: 'agent', assignee: null, reason: null } as const;
      expect(await changeHandsFor(release)).toEqual({ stop: 'taken_over' });
      expect(await sendText({ ...step(executionId, 3), text: 'thanks' })).toEqual({ stop: 'taken_over' });
    }
    expect(await countRows(database, 'conversation', { id: into, mode: 'human_takeover' })).toBe(1);
  });
});

describe('the list of the runs of a conversation', () => {
  const scope = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: null };
  const page = { after: null, limit: 20 };
  const listed = async (conversationId: string) =>
    database.read(async (queries) => ({
      runs: (await listExecutions(queries, scope, { conversationId }, page)).map(({ id }) => id),
      ofEngine: (await listEngineExecutions(queries, scope, { conversationId, kind: 'automation' }, page)).map(
        ({ id }) => id,
      ),
    }));

  it('has those of all conversations that became one with it, by any of their ids, and no others', async () => {
    const first = await anExecution();
    const second = await anExecution();
    const third = await anExecution();
    const { executionId: other, conversationId: apart } = await anExecution();
    const of = (ids: string[]) => ({ runs: ids, ofEngine: ids });
    expect(await listed(first.conversationId)).toEqual(of([first.executionId]));
    const into = await database.transaction((tx) => adoptChatId(tx, first.conversationId, second.chatId));
    await database.transaction((tx) => adoptChatId(tx, into, third.chatId));
    const together = of([third, second, first].map(({ executionId }) => executionId));
    for (const { conversationId } of [first, second, third]) expect(await listed(conversationId)).toEqual(together);
    expect(await listed(apart)).toEqual(of([other]));
  });
});

describe('a run that waits in a conversation which became one with another', () => {
  it('is told of what its contact writes there, and takes it as its reply', async () => {
    const [{ executionId, conversationId }, { chatId }] = [await anExecution(), await anExecution()];
    const wait = { ...aStep(executionId, 1, 'waitForReply'), timeoutMs: AN_HOUR_MS, choices: ['yes', 'no'] };
    await lookForReply({ ...wait, isOver: false });
    await database.transaction((tx) => adoptChatId(tx, conversationId, chatId));
    expect(
      await countRows(database, 'dispatch', {
        workflowId: workflowId('runAutomation', executionId),
        signal: 'changed',
      }),
    ).toBe(0);
    await writes(chatId, 'Yes');
    expect(
      await countRows(database, 'dispatch', {
        workflowId: workflowId('runAutomation', executionId),
        signal: 'changed',
      }),
    ).toBe(1);
    expect(await lookForReply({ ...wait, isOver: false })).toMatchObject({ choice: 'yes' });
  });

  it('has a reply that begins no other run of an automation which leaves replies out', async () => {
    const [{ executionId, conversationId }, { chatId }] = [await anExecution(), await anExecution()];
    const withTrigger = (trigger: object) =>
      database.transaction(async (tx) => {
        await run(tx)`update automation set trigger = ${JSON.stringify(trigger)}::jsonb`;
        tx.wake('automation', session.agencyId);
      });
    await lookForReply({ ...aStep(executionId, 1, 'waitForReply'), timeoutMs: AN_HOUR_MS, choices: [], isOver: false });
    await database.transaction((tx) => adoptChatId(tx, conversationId, chatId));
    await withTrigger({ event: 'message', isReply: false });
    const begun = sql`automation_execution where trigger->>'event' = 'message'`;
    await writes(chatId, 'My reply');
    expect(await countOf(database, begun)).toBe(0);
    await writes(chatId, 'Something else');
    expect(await countOf(database, begun)).toBe(1);
    await withTrigger({ event: 'request' });
  });
});
