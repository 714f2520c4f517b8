import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { eventually } from '../support/eventually.ts';
import { workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene('ai');
const failing = () => Promise.reject(ApplicationFailure.retryable('A worker was lost.'));

describe('rehearse: a rehearsal', () => {
  it('is done when the models have answered', async () => {
    scene.mock({ runRehearsal: async () => undefined });
    const rehearsal = await scene.start('rehearse', 'reh_1');
    expect(await rehearsal.result()).toBe('done');
    expect(scene.calls('runRehearsal')).toEqual([{ rehearsalId: 'reh_1' }]);
  });

  it('is given to another worker once, when the first is lost', async () => {
    let attempts = 0;
    scene.mock({ runRehearsal: () => ((attempts += 1) === 1 ? failing() : Promise.resolve()) });
    expect(await (await scene.start('rehearse', 'reh_1')).result()).toBe('done');
  });

  it('has failed after the second attempt, and its row says so', async () => {
    scene.mock({ runRehearsal: failing, failRehearsal: async () => undefined });
    expect(await (await scene.start('rehearse', 'reh_1')).result()).toBe('failed');
    expect(scene.calls('runRehearsal')).toHaveLength(2);
    expect(scene.calls('failRehearsal')).toEqual([{ rehearsalId: 'reh_1' }]);
  });

  // The last one here: it ends before its activity, and the server skips no time after that.
  it('has failed when it is cancelled, and its row says so', async () => {
    const asking = Promise.withResolvers<void>();
    scene.mock({ runRehearsal: () => asking.promise, failRehearsal: async () => undefined });
    const rehearsal = await scene.start('rehearse', 'reh_1');
    await eventually(() => scene.calls('runRehearsal').length === 1);
    await rehearsal.cancel();
    expect(await rehearsal.result()).toBe('failed');
    expect(scene.calls('failRehearsal')).toEqual([{ rehearsalId: 'reh_1' }]);
    asking.resolve();
  });
});
