import { describe, expect, it } from '@jest/globals';
import { endExecution } from '../../../db/automations/execution.ts';
import { addVersion, createFlow, deleteFlow, findFlow, forgetFlows } from '../../../db/flows/flow.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, findRows } from '../../support/rows.ts';
import { flowScene } from './flow-scene.ts';

const { database, session } = await databaseOfThisFile();
const { aRun, step, sentIn } = flowScene(database, session);
const { agencyId } = session;

const TEXT = { title: 'Tried', form: 'json', keyId: 'key_test' } as const;
const ONE = [{ one: { call: 'send', with: { text: 'Of version one' } } }];
const DONE = { status: 'completed', reason: null } as const;

async function change(id: string, source: string): Promise<number> {
  const stored = await database.transaction(async (tx) => {
    const flow = await findFlow(tx, agencyId, id);
    return flow && addVersion(tx, flow, { ...TEXT, source });
  });
  return stored?.version ?? 0;
}
const versionsOf = async (flowId: string): Promise<number[]> => {
  const found = await findRows(database, 'flowVersion', { flowId }, ['version']);
  return found.map(({ version }) => version).toSorted((a, b) => a - b);
};

describe('the versions of a workflow', () => {
  it('are those of the runs, also while they wait for their turn', async () => {
    const { executionId, conversationId, flowId } = await aRun(ONE);
    expect(await change(flowId, 'a text that no release reads')).toBe(2);
    expect(await step(executionId)).toMatchObject({ is: 'done', name: 'send' });
    expect(await sentIn(conversationId)).toBe(1);
    expect(await findRows(database, 'message', { body: 'Of version one' }, ['body'])).toHaveLength(1);
    const [run] = await findRows(database, 'automationExecution', { id: executionId }, ['definitionVersion']);
    expect(run).toEqual({ definitionVersion: 1 });
  });

  it('end a run with its reason if this release cannot read them', async () => {
    const { executionId, flowId } = await aRun(ONE);
    await changeRows(database, 'flowVersion', { source: '{"no":"definition"}' }, { flowId });
    const failed = { status: 'failed', reason: 'step_failed', path: null };
    expect(await step(executionId)).toEqual({ is: 'ended', end: failed });
  });

  it('are a hundred, and those that runs in progress need', async () => {
    const { executionId, flowId } = await aRun(ONE);
    for (let version = 2; version <= 110; version += 1) await change(flowId, `text ${version}`);
    const newest = Array.from({ length: 100 }, (_, place) => 11 + place);
    expect(await versionsOf(flowId)).toEqual([1, ...newest]);
    await database.transaction((tx) => endExecution(tx, executionId, DONE));
    await change(flowId, 'text 111');
    expect(await versionsOf(flowId)).toEqual([...newest.slice(1), 111]);
  });

  it('are fewer if they are large, but the current one stays', async () => {
    const { id } = (await database.transaction((tx) =>
      createFlow(tx, agencyId, { ...TEXT, source: 'x'.repeat(1_048_576) }),
    )) ?? { id: '' };
    for (const letter of 'abcdef') await change(id, letter.repeat(1_048_576));
    expect(await versionsOf(id)).toEqual([3, 4, 5, 6, 7]);
    await database.transaction((tx) => deleteFlow(tx, id, { runsFinish: false }));
    expect(await versionsOf(id)).toEqual([]);
  });

  it('leave with a deleted workflow once no run needs them', async () => {
    const { executionId, conversationId, flowId } = await aRun(ONE);
    const idle = await aRun(ONE);
    await database.transaction((tx) => endExecution(tx, idle.executionId, DONE));
    const sweep = () => database.transaction((tx) => forgetFlows(tx, new Date(tx.now.getTime() + 1), 10));
    const left = async () => {
      const found = await findRows(database, 'flow', { agencyId }, ['id']);
      return found.map(({ id }) => id).filter((id) => id === flowId || id === idle.flowId);
    };
    for (const id of [flowId, idle.flowId])
      await database.transaction((tx) => deleteFlow(tx, id, { runsFinish: true }));
    await sweep();
    expect(await left()).toEqual([flowId]);
    expect(await step(executionId)).toMatchObject({ is: 'done', name: 'send' });
    expect(await sentIn(conversationId)).toBe(1);
    await changeRows(database, 'automationExecution', { status: 'completed' }, { id: executionId });
    await sweep();
    expect(await left()).toEqual([]);
    expect(await versionsOf(flowId)).toEqual([]);
  });
});
