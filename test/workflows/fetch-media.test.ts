import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { eventually } from '../support/eventually.ts';
import { detailsOf, HOUR_MS, inTurn, timersOf, workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene('delivery');

describe('fetchMedia: the file that a contact has sent', () => {
  it('is fetched once, and its end is the result', async () => {
    scene.mock({ fetchFile: inTurn('stored') });
    const fetch = await scene.start('fetchMedia', 'msg_1');
    expect(await fetch.result()).toEqual({ file: 'stored' });
    expect(scene.calls('fetchFile')).toEqual([{ messageId: 'msg_1' }]);
  });

  it('waits in one execution while the backend is away', async () => {
    let away = true;
    scene.mock({
      fetchFile: async () => {
        if (away) throw ApplicationFailure.nonRetryable('The session is away.', 'session_not_ready');
        return 'stored';
      },
    });
    const fetch = await scene.start('fetchMedia', 'msg_1');
    await eventually(async () => (await detailsOf(fetch)).includes('**waits**: `session_not_ready`'));
    away = false;
    expect(await fetch.result()).toEqual({ file: 'stored' });
  });

  it('is given up after a day', async () => {
    scene.mock({
      fetchFile: () => Promise.reject(ApplicationFailure.nonRetryable('Not ready.', 'session_not_ready')),
      giveUpFile: async () => undefined,
    });
    const fetch = await scene.start('fetchMedia', 'msg_1');
    expect(await fetch.result()).toEqual({ file: 'media_unavailable', gaveUp: 'session_not_ready' });
    expect(scene.calls('giveUpFile')).toEqual([{ messageId: 'msg_1' }]);
    const waited = (await timersOf(fetch)).reduce((sum, { ms }) => sum + ms, 0);
    expect(waited / HOUR_MS).toBeGreaterThan(23);
  });
});
