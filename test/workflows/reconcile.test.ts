import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { inTurn, workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene('delivery');
const done = { messages: 2, failed: [], left: [] };
const failing = () => Promise.reject(ApplicationFailure.retryable('The database is away.'));

describe('reconcile: a run', () => {
  it('restarts unfinished work, and reads the acks that are missing', async () => {
    scene.mock({ reconcileRows: inTurn(done), readMissingAcks: inTurn({ asked: 3, found: 1 }) });
    const run = await scene.start('reconcile');
    expect(await run.result()).toEqual({ ...done, acks: { asked: 3, found: 1 } });
    expect(scene.calls('reconcileRows')).toEqual([{ all: false }]);
  });

  it('promises what the rows say where the acks cannot be read, which it leaves to the next run', async () => {
    scene.mock({ reconcileRows: inTurn(done), readMissingAcks: failing });
    const run = await scene.start('reconcile');
    expect(await run.result()).toEqual({ ...done, acks: null });
    expect(scene.calls('readMissingAcks')).toHaveLength(1);
  });

  it('ends without red while the database is away, for the next run', async () => {
    const away = () => Promise.reject(ApplicationFailure.retryable('It cannot be reached.', 'unavailable'));
    scene.mock({ reconcileRows: away, readMissingAcks: inTurn({ asked: 0, found: 0 }) });
    const run = await scene.start('reconcile');
    expect(await run.result()).toEqual({ unreached: true, acks: { asked: 0, found: 0 } });
  });

  it('fails after three attempts at the rows, so that an operator sees it', async () => {
    scene.mock({ reconcileRows: failing, readMissingAcks: inTurn({ asked: 0, found: 0 }) });
    const run = await scene.start('reconcile');
    await expect(run.result()).rejects.toThrow('Workflow execution failed');
    expect(scene.calls('reconcileRows')).toHaveLength(3);
  });
});
