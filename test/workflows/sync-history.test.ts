import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { eventually } from '../support/eventually.ts';
import { detailsOf, HOUR_MS, inTurn, timersOf, workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene('sync');
const read = async () => ({ messages: 3 });
const noteEnd = async () => undefined;

function page(more: boolean, ...conversationIds: string[]): { conversationIds: string[]; more: boolean } {
  return { conversationIds, more };
}

describe('syncHistory: the past of a session', () => {
  it('is read page after page, as many as were asked for, and noted at the end', async () => {
    scene.mock({
      syncChats: inTurn(page(true, 'cnv_1', 'cnv_2'), page(true, 'cnv_3'), page(true, 'cnv_4')),
      syncMessages: read,
      finishSync: noteEnd,
    });
    const sync = await scene.start('syncHistory', 'ses_1', 2);
    expect(await sync.result()).toEqual({ chats: 3, messages: 9 });
    expect(scene.calls('syncChats')).toEqual([0, 1].map((number) => ({ sessionId: 'ses_1', page: number })));
    expect(scene.calls('syncMessages')).toHaveLength(3);
    expect(scene.calls('finishSync')).toEqual([{ sessionId: 'ses_1', pages: 2 }]);
  });

  it('is read no further than the account goes', async () => {
    scene.mock({ syncChats: inTurn(page(false, 'cnv_1')), syncMessages: read, finishSync: noteEnd });
    const sync = await scene.start('syncHistory', 'ses_1', 10);
    expect(await sync.result()).toEqual({ chats: 1, messages: 3 });
  });

  it('is read at most four conversations at a time', async () => {
    let [running, most] = [0, 0];
    const ids = Array.from({ length: 9 }, (_, index) => `cnv_${index}`);
    scene.mock({
      syncChats: inTurn(page(false, ...ids)),
      syncMessages: async () => {
        most = Math.max(most, (running += 1));
        await new Promise(setImmediate);
        running -= 1;
        return { messages: 1 };
      },
      finishSync: noteEnd,
    });
    const sync = await scene.start('syncHistory', 'ses_1');
    expect(await sync.result()).toEqual({ chats: 9, messages: 9 });
    expect(most).toBeLessThanOrEqual(4);
  });

  it('waits in one execution while the backend is away, and is read when it is back', async () => {
    let away = true;
    scene.mock({
      syncChats: inTurn(page(false, 'cnv_1', 'cnv_2')),
      syncMessages: async () => {
        if (away) throw ApplicationFailure.retryable('The backend is away.', 'backend_unavailable');
        return { messages: 3 };
      },
      finishSync: noteEnd,
    });
    const sync = await scene.start('syncHistory', 'ses_1');
    await eventually(async () =>
      (await detailsOf(sync)).includes('Waits: `backend_unavailable`. It is tried again at '),
    );
    away = false;
    expect(await sync.result()).toEqual({ chats: 2, messages: 6 });
    expect(scene.calls('finishSync')).toHaveLength(1);
  });

  it('ends without being noted as read when the session is not back in a day', async () => {
    scene.mock({
      syncChats: () => Promise.reject(ApplicationFailure.nonRetryable('Not ready.', 'session_not_ready')),
      finishSync: noteEnd,
    });
    const sync = await scene.start('syncHistory', 'ses_1');
    expect(await sync.result()).toEqual({ chats: 0, messages: 0, gaveUp: 'session_not_ready' });
    expect(scene.calls('finishSync')).toEqual([]);
    const waited = (await timersOf(sync)).reduce((sum, { ms }) => sum + ms, 0);
    expect(waited / HOUR_MS).toBeGreaterThan(23);
    expect(waited / HOUR_MS).toBeLessThan(26);
  });

  it('fails by a fault of ours, after some minutes, so that an operator sees it', async () => {
    scene.mock({
      syncChats: inTurn(page(false, 'cnv_1')),
      syncMessages: () => Promise.reject(ApplicationFailure.retryable('An unexpected TypeError.', 'internal')),
      finishSync: noteEnd,
    });
    const sync = await scene.start('syncHistory', 'ses_1');
    await expect(sync.result()).rejects.toThrow('Workflow execution failed');
    expect(scene.calls('syncMessages')).toHaveLength(15);
    expect(scene.calls('finishSync')).toEqual([]);
  });
});

describe('syncHistory: one conversation that a reader scrolls back in', () => {
  it('is read as deep as it is scrolled, and nothing else', async () => {
    scene.mock({ syncMessages: read });
    const sync = await scene.start('syncHistory', 'ses_1', 1, 'cnv_1', 250);
    expect(await sync.result()).toEqual({ chats: 1, messages: 3 });
    expect(scene.calls('syncMessages')).toEqual([{ conversationId: 'cnv_1', depth: 250 }]);
  });
});
