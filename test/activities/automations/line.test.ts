import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createExecutionActivities } from '../../../activities/automations/executions.ts';
import { createWaitActivities } from '../../../activities/automations/waits.ts';
import { cancelExecution, findExecution } from '../../../db/automations/execution-list.ts';
import { standingOf } from '../../../db/automations/execution.ts';
import { moveLines } from '../../../db/automations/line.ts';
import { promiseAgain } from '../../../db/promise-again.ts';
import { run } from '../../../db/engine/rows.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, deleteRows, earlier, findRows, not } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { anExecution } = executionScene(database, session);
const { beginExecution, endExecution } = createExecutionActivities({ database });
const { noteSleep } = createWaitActivities({ database, automations: new Catalogue({}) });

const AT_WORK = 10;

/** The runs whose workflows are promised, the oldest first. */
const promised = async (): Promise<string[]> =>
  (await findRows(database, 'dispatch', { workflowType: 'runAutomation' }, ['args'])).map(
    ({ args }) => z.tuple([z.string()]).rest(z.unknown()).parse(args)[0],
  );

async function runs(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await anExecution()).executionId);
  return ids;
}

const scope = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: null };
const shown = (id: string) => database.read((queries) => findExecution(queries, scope, id));

describe('an agency that begins more runs than may be at work', () => {
  let ids: string[] = [];
  beforeEach(async () => {
    await deleteRows(database, 'automationExecution');
    await deleteRows(database, 'dispatch');
    ids = await runs(AT_WORK + 2);
  });

  it('has the rest wait for their turn as rows, and shows that', async () => {
    expect(await promised()).toEqual(ids.slice(0, AT_WORK));
    expect((await shown(ids[AT_WORK - 1] ?? ''))?.waitsFor).toBeNull();
    expect((await shown(ids[AT_WORK] ?? ''))?.waitsFor).toBe('turn');
  });

  it('has the next begin when one ends, in their order', async () => {
    await endExecution({ executionId: ids[3] ?? '', status: 'completed', reason: null });
    expect(await promised()).toEqual(ids.slice(0, AT_WORK + 1));
    await database.transaction((tx) => cancelExecution(tx, scope, ids[4] ?? ''));
    expect(new Set(await promised())).toEqual(new Set(ids));
  });

  it('has the next begin when one comes to wait, and not a second time while that goes on', async () => {
    const executionId = ids[0] ?? '';
    await beginExecution({ executionId, versions: {} });
    const sleep = { executionId, number: 1, name: 'sleep', besidePeople: false, forMs: 3_600_000, isOver: false };
    await noteSleep(sleep);
    await noteSleep(sleep);
    expect(await promised()).toEqual(ids.slice(0, AT_WORK + 1));
  });

  it('leaves out of the line who was cancelled in it', async () => {
    await database.transaction((tx) => cancelExecution(tx, scope, ids[AT_WORK] ?? ''));
    await endExecution({ executionId: ids[0] ?? '', status: 'completed', reason: null });
    const told = new Set(await promised());
    expect(told.has(ids[AT_WORK + 1] ?? '')).toBe(true);
  });

  it('goes on when those at work are lost, and promises no run in line as lost', async () => {
    await changeRows(database, 'automationExecution', { promisedAt: earlier({ days: 1 }) }, { promisedAt: not(null) });
    await deleteRows(database, 'dispatch');
    await promiseAgain(database, 'runAutomation', { all: true });
    expect(new Set(await promised())).toEqual(new Set(ids.slice(0, AT_WORK)));
    await changeRows(database, 'automationExecution', { promisedAt: earlier({ days: 1 }) }, { promisedAt: not(null) });
    expect(await database.transaction(moveLines)).toBe(2);
    expect(await database.transaction(moveLines)).toBe(0);
    expect(new Set(await promised())).toEqual(new Set(ids));
  });
});

describe('two runs of one conversation', () => {
  it('take their steps one after the other, so that neither is broken off when both send', async () => {
    const { executionId: first, conversationId } = await anExecution();
    const { executionId: second } = await anExecution();
    await changeRows(database, 'automationExecution', { conversationId }, { id: second });
    const impatient = () =>
      database.transaction(async (tx) => {
        await run(tx)`set local lock_timeout = '20ms'`;
        await standingOf(tx, second);
      });
    await database.transaction(async (tx) => {
      await standingOf(tx, first);
      await expect(impatient()).rejects.toThrow(/lock timeout/);
    });
    await impatient();
  });
});
