import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { planTurn } from '../../../activities/agent/turn-plan.ts';
import { readAgentDesk } from '../../../db/agent/desk.ts';
import { defaultPersona } from '../../../domain/agent/sales-agent.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { addRow, changeRows, databaseNow, deleteRows, findRows, rowsOf } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { sendText, lookForReply } = createStepActivities({ database, automations: new Catalogue({ askSatisfaction }) });
const { writes, anExecution } = executionScene(database, session);
const TWO_DAYS_MS = 2 * 86_400_000;

const stepOf = (executionId: string, number: number, name: string) => ({
  executionId,
  number,
  name,
  besidePeople: false,
});
const asks = (executionId: string, number = 1) =>
  sendText({ ...stepOf(executionId, number, 'send'), text: 'question' });
const waits = (executionId: string, number: number, more: { ownsForMs?: number; choices?: string[] } = {}) =>
  lookForReply({
    ...stepOf(executionId, number, 'waitForReply'),
    timeoutMs: TWO_DAYS_MS,
    choices: [],
    isOver: false,
    ...more,
  });

/** The outcome of the contact's last message for the agent: the code of its silence, or that it is owed an answer. */
async function agentOn(conversationId: string): Promise<string | null> {
  const said = await findRows(
    database,
    'message',
    { conversationId, direction: 'in' },
    ['awaitsTurn', 'turnId'],
    ['createdAt', 'id'],
  );
  const last = said.at(-1);
  if (!last) return null;
  if (last.awaitsTurn) return 'owed';
  const [turn] = await findRows(database, 'aiTurn', { id: last.turnId ?? undefined }, ['silenceCode']);
  return turn?.silenceCode ?? null;
}

describe('the agent beside a run that has asked', () => {
  it('is silent about the answer, and answers what comes after it', async () => {
    const { executionId, conversationId, chatId } = await anExecution();
    await asks(executionId);
    await waits(executionId, 2);
    await writes(chatId, '5');
    expect(await agentOn(conversationId)).toBe('automation');
    expect(await waits(executionId, 2)).toMatchObject({ stop: null, messageId: expect.any(String) });
    await writes(chatId, 'And when do you open?');
    expect(await agentOn(conversationId)).toBe('owed');
  });

  it('answers again once the question is a day old, although the run still waits', async () => {
    const { executionId, conversationId, chatId } = await anExecution();
    await asks(executionId);
    await waits(executionId, 2);
    const bound = sql<{ hours: number }>`select round(extract(epoch from owns_until - now()) / 3600)::int as hours
      from automation_execution where id = ${executionId}`;
    expect(await rowsOf(database, bound)).toEqual([{ hours: 24 }]);
    await changeRows(database, 'automationExecution', { ownsUntil: databaseNow }, { id: executionId });
    await writes(chatId, 'Hello?');
    expect(await agentOn(conversationId)).toBe('owed');
  });

  it.each([
    ['has said nothing', async (executionId: string) => void (await waits(executionId, 1))],
    [
      'only watches whether the contact falls silent',
      async (executionId: string) => {
        await asks(executionId);
        await waits(executionId, 2, { ownsForMs: 0 });
      },
    ],
    ['has only said something', async (executionId: string) => void (await asks(executionId))],
  ])('answers where the run %s', async (_what, does) => {
    const { executionId, conversationId, chatId } = await anExecution();
    await does(executionId);
    await writes(chatId, 'What does it cost?');
    expect(await agentOn(conversationId)).toBe('owed');
  });

  async function plan(conversationId: string): Promise<string> {
    const persona = { ...defaultPersona('model'), quietPeriodMs: 0, maxWaitMs: 0 };
    const desk = await database.read((queries) =>
      readAgentDesk(queries, conversationId, { running: null, budgets: persona }),
    );
    if (!desk) throw new Error('The conversation is not there.');
    const looking = { running: null, waits: 0, now: database.clock.now(), fallback: null };
    return planTurn(desk, persona, looking).next.kind;
  }

  it('waits a moment for a run that has just begun, so that it comes after its words', async () => {
    const { executionId, conversationId, chatId } = await anExecution();
    await writes(chatId, 'Hello');
    expect(await plan(conversationId)).toBe('wait');
    await changeRows(database, 'automationExecution', { status: 'completed' }, { id: executionId });
    expect(await plan(conversationId)).toBe('begin');
  });

  it.each([
    [
      'is switched off',
      () => changeRows(database, 'automation', { enabled: false }),
      () => changeRows(database, 'automation', { enabled: true }),
    ],
    [
      'is stopped for its agency',
      () =>
        addRow(database, 'automationStop', {
          agencyId: session.agencyId,
          stoppedBy: 'operator',
          stoppedAt: databaseNow,
        }),
      () => deleteRows(database, 'automationStop'),
    ],
    [
      'is stopped for all agencies',
      () => addRow(database, 'automationStop', { agencyId: '', stoppedBy: 'operator', stoppedAt: databaseNow }),
      () => deleteRows(database, 'automationStop'),
    ],
  ])('waits for no run that %s, because it says nothing', async (_what, stop, resume) => {
    const { conversationId, chatId } = await anExecution();
    await writes(chatId, 'Hello');
    expect(await plan(conversationId)).toBe('wait');
    await stop();
    expect(await plan(conversationId)).toBe('begin');
    await resume();
  });
});

describe('the words of a choice that is a text of the automation', () => {
  it('count as the choice, exactly as the tenant has written them', async () => {
    const { executionId, chatId } = await anExecution();
    await asks(executionId);
    const choices = ['thanks', 'sorry'];
    await waits(executionId, 2, { choices });
    await writes(chatId, `  ${(askSatisfaction.usual['sorry'] ?? '').toUpperCase()} `);
    expect(await waits(executionId, 2, { choices })).toMatchObject({ choice: 'sorry' });
  });
});
