import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { eventually } from '../support/eventually.ts';
import { SIGNALS } from '../../domain/names.ts';
import { askAgainAfterMs } from '../../domain/network/phone-questions.ts';
import { detailsOf, HOUR_MS, inTurn, MINUTE_MS, timersOf, workflowScene } from './a-workflow-scene.ts';

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

describe('syncContacts: the contacts of a session', () => {
  const pages = (next: number | null) => ({ contacts: 5_000, changed: 2, next });

  it('are read some pages at a time to the end of the list, and then some pictures', async () => {
    scene.mock({
      syncContactPages: inTurn(pages(5_000), pages(10_000), pages(null)),
      finishContactSync: noteEnd,
      fetchPictures: async () => 4,
    });
    const sync = await scene.start('syncContacts', 'ses_1');
    expect(await sync.result()).toEqual({ contacts: 15_000, changed: 6, pictures: 4 });
    expect(scene.calls('syncContactPages')).toEqual([0, 5_000, 10_000].map((from) => ({ sessionId: 'ses_1', from })));
    expect(scene.calls('finishContactSync')).toEqual([{ sessionId: 'ses_1' }]);
    expect(await detailsOf(sync)).toBe('**done** · 15000 contacts, 6 of them changed, 4 pictures');
  });

  it('go on after what was read, when the backend is back', async () => {
    let away = true;
    scene.mock({
      syncContactPages: async ({ from }) => {
        if (from > 0 && away) throw ApplicationFailure.retryable('The backend is away.', 'backend_unavailable');
        return pages(from === 0 ? 5_000 : null);
      },
      finishContactSync: noteEnd,
      fetchPictures: async () => 0,
    });
    const sync = await scene.start('syncContacts', 'ses_1');
    await eventually(async () => (await detailsOf(sync)).includes('Waits: `backend_unavailable`.'));
    expect(await detailsOf(sync)).toContain('**reads from contact 5001 on** · 5000 contacts');
    away = false;
    expect(await sync.result()).toEqual({ contacts: 10_000, changed: 4, pictures: 0 });
    expect(scene.calls('finishContactSync')).toHaveLength(1);
  });

  it('are not noted as read when the session is not back in a day', async () => {
    scene.mock({ syncContactPages: () => Promise.reject(ApplicationFailure.nonRetryable('No.', 'session_not_ready')) });
    const sync = await scene.start('syncContacts', 'ses_1');
    expect(await sync.result()).toEqual({ contacts: 0, changed: 0, pictures: 0, gaveUp: 'session_not_ready' });
    expect(scene.calls('finishContactSync')).toEqual([]);
  });

  it('are left alone where a reader waits for one picture', async () => {
    scene.mock({ fetchPicture: async () => 1 });
    const sync = await scene.start('syncContacts', 'ses_1', 'con_1');
    expect(await sync.result()).toEqual({ contacts: 0, changed: 0, pictures: 1 });
    expect(scene.calls('fetchPicture')).toEqual([{ sessionId: 'ses_1', contactId: 'con_1' }]);
  });
});

describe('learnPhones: hidden ids of a session that the network does not know at first', () => {
  const waits = { found: 0, waiting: 1, held: null };
  const none = { asked: 1, waiting: 0, nextInMs: null, held: null };

  it('are asked for again after growing pauses, until the network knows them after six hours', async () => {
    let asks = 0;
    scene.mock({
      askForPhones: async () => {
        asks += 1;
        return asks < 7 ? { ...waits, asked: 1, nextInMs: askAgainAfterMs(asks) } : { ...none, found: 1 };
      },
    });
    const phones = await scene.start('learnPhones', 'ses_1');
    expect(await phones.result()).toEqual({ asked: 7, found: 1 });
    const waited = (await timersOf(phones)).reduce((sum, { ms }) => sum + ms, 0);
    expect(waited / MINUTE_MS).toBeCloseTo(5 + 15 + 30 + 60 + 120 + 240, 0);
    expect(waited).toBeGreaterThan(6 * HOUR_MS);
  });

  it('are asked for sooner when another one turns up, but not twice within a minute', async () => {
    let asks = 0;
    scene.mock({
      askForPhones: async () => {
        asks += 1;
        return asks < 2 ? { ...waits, asked: 1, nextInMs: HOUR_MS } : { ...none, found: 0 };
      },
    });
    const phones = await scene.start('learnPhones', 'ses_1');
    await eventually(() => asks === 1);
    await phones.signal(SIGNALS.due);
    expect(await phones.result()).toEqual({ asked: 2, found: 0 });
    expect((await timersOf(phones)).at(0)).toEqual({ summary: 'the pause between two rounds', ms: MINUTE_MS });
  });

  it('show why nothing is asked while the session is away', async () => {
    scene.mock({
      askForPhones: inTurn({ asked: 0, found: 0, waiting: 3, nextInMs: HOUR_MS, held: 'session_not_ready' as const }),
    });
    const phones = await scene.start('learnPhones', 'ses_1');
    await eventually(async () => (await detailsOf(phones)).includes('Waits: `session_not_ready`.'));
    expect(await detailsOf(phones)).toContain('**3 contacts are known by a hidden id alone**');
  });
});
