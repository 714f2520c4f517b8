import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { eventually } from '../support/eventually.ts';
import type { HistoryProgress } from '../../activities/sessions/history-run.ts';
import { SIGNALS, STATE_QUERY, UPDATES } from '../../domain/names.ts';
import { askAgainAfterMs } from '../../domain/network/phone-questions.ts';
import type { SyncShown } from '../../workflows/sessions/sync-story.ts';
import {
  argumentsOf,
  DECISION,
  detailsOf,
  HOUR_MS,
  inTurn,
  MINUTE_MS,
  timersOf,
  workflowScene,
} from './a-workflow-scene.ts';

const scene = workflowScene('sync');
const read = async () => ({ messages: 3 });
const noteEnd = async () => undefined;

const SOME: HistoryProgress = {
  more: true,
  cause: 'first',
  outcome: null,
  chats: 40,
  chatsLeft: 30,
  messages: 4_000,
  imported: 3_900,
  missed: 2,
  window: { from: '2026-03-01T09:00:00.000Z', to: '2026-03-02T09:00:00.000Z' },
  startedAt: '2026-03-02T09:00:00.000Z',
};
const ALL: HistoryProgress = { ...SOME, more: false, outcome: 'done', chatsLeft: 0, messages: 9_000, imported: 8_900 };
const { more: _more, ...READ } = ALL;

describe('syncHistory: the past of a session', () => {
  it('is read part by part until nothing is left, and shows how far it is', async () => {
    scene.mock({ importHistory: inTurn(SOME, SOME, ALL) });
    const sync = await scene.start('syncHistory', 'ses_1', 3);
    expect(await sync.result()).toEqual(READ);
    expect(scene.calls('importHistory')).toEqual([
      { sessionId: 'ses_1', pages: 3 },
      { sessionId: 'ses_1' },
      { sessionId: 'ses_1' },
    ]);
    const shown = await sync.query<SyncShown>(STATE_QUERY);
    expect(shown).toMatchObject({ found: ALL, waits: null, messagesPerSecond: expect.any(Number) });
    expect(await detailsOf(sync)).toContain('**done** · first');
    expect(await detailsOf(sync)).toContain('40 chats listed, 0 still to be read · 9000 messages read');
  });

  it('waits in one execution while the backend is away, and is read when it is back', async () => {
    let away = true;
    scene.mock({
      importHistory: async () => {
        if (away) throw ApplicationFailure.nonRetryable('The backend is away.', 'backend_unavailable');
        return ALL;
      },
    });
    const sync = await scene.start('syncHistory', 'ses_1');
    await eventually(async () =>
      (await detailsOf(sync)).includes('Waits: `backend_unavailable`. It is tried again at '),
    );
    away = false;
    expect(await sync.result()).toEqual(READ);
  });

  it('ends when the session is not back in a day; the rows know how far it is', async () => {
    scene.mock({
      importHistory: () => Promise.reject(ApplicationFailure.nonRetryable('Not ready.', 'session_not_ready')),
    });
    const sync = await scene.start('syncHistory', 'ses_1');
    expect(await sync.result()).toMatchObject({ gaveUp: 'session_not_ready' });
    const waited = (await timersOf(sync)).reduce((sum, { ms }) => sum + ms, 0);
    expect(waited / HOUR_MS).toBeGreaterThan(23);
    expect(waited / HOUR_MS).toBeLessThan(26);
  });

  it('fails by a fault of ours, after some minutes, so that an operator sees it', async () => {
    const fault = () => Promise.reject(ApplicationFailure.retryable('An unexpected TypeError.', 'internal'));
    scene.mock({ importHistory: fault });
    const sync = await scene.start('syncHistory', 'ses_1');
    await expect(sync.result()).rejects.toThrow('Workflow execution failed');
    expect(scene.calls('importHistory')).toHaveLength(15);
  });

  it('goes on in another run of the execution when its history has grown', async () => {
    let isFilled = false;
    scene.mock({ importHistory: async () => (isFilled ? ALL : SOME), decideSync: noteEnd });
    const sync = await scene.start('syncHistory', 'ses_1');
    await eventually(() => scene.calls('importHistory').length > 0);
    await scene.fillHistory(sync, SIGNALS.changed);
    const next = scene.latestRun(sync);
    await eventually(async () => (await argumentsOf(next)).length === 2);
    isFilled = true;
    expect(await next.result()).toEqual(READ);
    expect(await argumentsOf(next)).toEqual(['ses_1', 0]);
  });
});

describe('syncHistory: what operators decide', () => {
  it('deepen: is recorded once, and ends a pause', async () => {
    let away = true;
    scene.mock({
      importHistory: async () => {
        if (away) throw ApplicationFailure.nonRetryable('The backend is away.', 'backend_unavailable');
        return ALL;
      },
      decideSync: noteEnd,
    });
    const sync = await scene.start('syncHistory', 'ses_1');
    await eventually(async () => (await detailsOf(sync)).includes('Waits: '));
    away = false;
    const decision = { ...DECISION, messagesPerChat: 500, events: true };
    expect(await sync.executeUpdate(UPDATES.deepen, { args: [decision] })).toEqual({ asked: 'deepen' });
    expect(await sync.result()).toEqual(READ);
    expect(scene.calls('decideSync')).toEqual([
      {
        sessionId: 'ses_1',
        asked: { act: 'deepen', messagesPerChat: 500, events: true },
        ...DECISION,
        requestId: expect.any(String),
      },
    ]);
  });

  it('stop: is recorded, and the next part finds that nothing is left', async () => {
    let isStopped = false;
    scene.mock({
      importHistory: async () => (isStopped ? { ...ALL, outcome: 'stopped' as const } : SOME),
      decideSync: async () => void (isStopped = true),
    });
    const sync = await scene.start('syncHistory', 'ses_1');
    expect(await sync.executeUpdate(UPDATES.stop, { args: [DECISION] })).toEqual({ asked: 'stop' });
    expect(await sync.result()).toEqual({ ...READ, outcome: 'stopped' });
  });

  it.each([
    { actor: 'operator' },
    { ...DECISION, messagesPerChat: 0 },
    { ...DECISION, messagesPerSession: 1.5 },
    { ...DECISION, days: -1 },
    { ...DECISION, conversationId: 'ses_1' },
    { ...DECISION, events: 'yes' },
  ])('deepen: is refused without a trace where it is %j', async (given) => {
    scene.mock({
      importHistory: () => Promise.reject(ApplicationFailure.nonRetryable('Not ready.', 'session_not_ready')),
    });
    const sync = await scene.start('syncHistory', 'ses_1');
    await eventually(async () => (await detailsOf(sync)).includes('Waits: '));
    await expect(sync.executeUpdate(UPDATES.deepen, { args: [given] })).rejects.toThrow();
    expect(scene.calls('decideSync')).toEqual([]);
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
    expect(await detailsOf(sync)).toContain('**done** · 15000 contacts, 6 of them changed, 4 pictures');
  });

  it('go on after what was read, when the backend is back', async () => {
    let away = true;
    scene.mock({
      syncContactPages: async ({ from }) => {
        if (from > 0 && away) throw ApplicationFailure.nonRetryable('The backend is away.', 'backend_unavailable');
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
    expect((await timersOf(phones)).at(0)).toEqual({ summary: 'pause between two rounds', ms: MINUTE_MS });
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
