import { describe, expect, it } from '@jest/globals';
import { createSyncDecisions } from '../../../activities/sessions/sync-decisions.ts';
import { promiseDueSyncs } from '../../../db/network/sync/due.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import {
  ago,
  changeRows,
  countRows,
  databaseNow,
  deleteRows,
  findRows,
  like,
  toldPayloads,
} from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { anAccount, DAY_S, NOW_S, OTHER, PERSON, talk } from './an-account.ts';

const PAGE = 100;
const { database } = await databaseOfThisFile();

describe('the bounds of what is read', () => {
  it('leave out older messages of a chat until somebody asks for more', async () => {
    const account = await anAccount(database, { messagesPerChat: 200 });
    account.chats.set(PERSON, talk(PERSON, 520));
    await account.run('first');
    expect(await account.rows()).toBe(200);
    expect(await account.view()).toMatchObject({ isBounded: true, limits: { messagesPerChat: 200 } });
    account.asked.length = 0;
    expect(await account.ask({ act: 'deepen', messagesPerChat: 1_000 })).toBe(true);
    // Whoever has asked is answered with what was asked, although nothing has been read yet.
    expect(await account.view()).toMatchObject({ limits: { messagesPerChat: 1_000 } });
    // It begins at once, not when the next run was planned.
    expect(await account.view()).toMatchObject({ state: 'waiting', nextAt: null });
    await account.slice();
    expect(await account.rows()).toBe(520);
    expect(account.asked.find((call) => call.startsWith(PERSON))).toBe(`${PERSON} 200`);
    expect(await account.view()).toMatchObject({
      isBounded: false,
      cause: 'asked',
      limits: { messagesPerChat: 1_000 },
    });
    expect(await findRows(database, 'auditEntry', { objectId: account.sessionId }, ['action', 'actor'])).toEqual([
      { action: 'history_asked', actor: 'Ann' },
    ]);
  });

  it('may be another one for one chat, which alone is read then', async () => {
    const account = await anAccount(database, { messagesPerChat: 100 });
    account.chats.set(PERSON, talk(PERSON, 320)).set(OTHER, talk(OTHER, 320));
    await account.run('first');
    const [chat] = await findRows(database, 'conversation', { sessionId: account.sessionId, chatId: OTHER }, ['id']);
    account.asked.length = 0;
    await account.ask({ act: 'deepen', conversationId: chat?.id, messagesPerChat: 300 });
    await account.slice();
    expect(account.asked).toEqual([0, 100, 200].map((at) => `${OTHER} ${at}`));
    expect(await account.rows()).toBe(400);
    expect(await account.ask({ act: 'deepen', conversationId: 'cnv_of_nobody' })).toBe(false);
  });

  it('leave every chat its newest messages when the account has more than may be read', async () => {
    const account = await anAccount(database, { messagesPerSession: 150 });
    account.chats.set(PERSON, talk(PERSON, 300)).set(OTHER, talk(OTHER, 300));
    await account.run('first');
    expect(await account.rows()).toBe(200);
    expect(await account.view()).toMatchObject({ isBounded: true, state: 'done' });
  });

  it('leave out what is too old', async () => {
    const account = await anAccount(database, { days: 30 });
    const old = talk(PERSON, 250, NOW_S - 40 * DAY_S);
    account.chats.set(PERSON, [...talk(PERSON, 100), ...old]);
    await account.run('first');
    expect(await account.rows()).toBe(2 * PAGE);
    expect(await account.view()).toMatchObject({ isBounded: true, limits: { since: expect.any(String) } });
  });
});

describe('messages of the past as events', () => {
  it('come where somebody asks for them, of contacts alone, flagged, once, and are answered by nobody', async () => {
    const account = await anAccount(database, { messagesPerChat: 100 });
    account.chats.set(PERSON, talk(PERSON, 150));
    await account.run('first');
    await account.ask({ act: 'deepen', messagesPerChat: 1_000, events: true });
    await account.slice();
    const own = talk(PERSON, 150)
      .slice(100)
      .filter(({ fromMe }) => fromMe).length;
    expect(await account.events()).toBe(50 - own);
    const { sessionId } = account;
    expect(await countRows(database, 'event', { sessionId, type: 'message', body: like('%"history":true%') })).toBe(
      50 - own,
    );
    expect(await countRows(database, 'message', { sessionId, awaitsTurn: true })).toBe(0);
    // The next run tells nobody again.
    account.chats.set(OTHER, talk(OTHER, 5));
    await account.run('late');
    expect(await account.events()).toBe(50 - own);
  });

  it('sync.progress comes every five seconds at most, and once when the run has ended', async () => {
    const account = await anAccount(database);
    account.chats.set(PERSON, talk(PERSON, 900));
    await account.run('first');
    const { sessionId } = account;
    const progress = { sessionId, type: 'sync.progress' };
    const payloads = await toldPayloads(database, progress);
    const times = await findRows(database, 'event', progress, ['createdAt'], 'place');
    const told = payloads.map(({ state, messages }, place) => ({
      state,
      messages,
      atMs: new Date(times[place]?.createdAt ?? '').getTime(),
    }));
    const running = told.slice(0, -1);
    expect(running[0]).toMatchObject({ state: 'running', messages: 100 });
    // A busy machine may take longer than five seconds for the whole, and tells of it meanwhile.
    for (const [place, { atMs }] of running.slice(1).entries()) {
      expect(atMs - (running[place]?.atMs ?? 0)).toBeGreaterThanOrEqual(5_000);
    }
    expect(told.filter(({ state }) => state === 'done')).toMatchObject([{ messages: 900 }]);
    expect(told.at(-1)?.state).toBe('done');
  });
});

describe('the next run', () => {
  const nextOf = async ({ view }: Awaited<ReturnType<typeof anAccount>>) =>
    (Date.parse((await view()).nextAt ?? '') - database.clock.now().getTime()) / 60_000;
  const due = () => database.transaction(promiseDueSyncs);
  const promised = (sessionId: string) => countRows(database, 'dispatch', { workflowId: `sync/${sessionId}` });

  it('comes several times soon after a link, whose past comes late, and then once a day', async () => {
    const account = await anAccount(database);
    await changeRows(database, 'session', { statusChangedAt: databaseNow }, { id: account.sessionId });
    await account.run('first');
    const minutes = [await nextOf(account)];
    for (let late = 0; late < 4; late += 1) {
      await account.run('late');
      minutes.push(await nextOf(account));
    }
    expect(minutes.map((each) => Math.round(each * 2) / 2)).toEqual([0.5, 2, 10, 30, 1_440]);
    // One that comes back may be another link.
    await account.run('connected');
    expect(Math.round(await nextOf(account))).toBe(10);
  });

  it('is promised when it is due, and a run that nothing carries on is promised again', async () => {
    const account = await anAccount(database);
    const { sessionId } = account;
    await account.run('first');
    await deleteRows(database, 'dispatch');
    await due();
    expect(await promised(sessionId)).toBe(0);
    await changeRows(database, 'historySync', { nextAt: ago({ seconds: 1 }) }, { sessionId });
    for (const _look of [1, 2]) await due();
    expect(await promised(sessionId)).toBe(1);
    expect(await account.slice()).toMatchObject({ cause: 'late', more: false });
    account.stopping.abort();
    await deleteRows(database, 'dispatch');
    expect(await account.run('asked')).toMatchObject({ more: true });
    await deleteRows(database, 'dispatch');
    await changeRows(database, 'historySync', { nextAt: ago({ seconds: 1 }) }, { sessionId });
    await due();
    expect(await promised(sessionId)).toBe(1);
  });

  it('is not promised for an account that is away', async () => {
    const account = await anAccount(database);
    await account.run('first');
    await changeRows(database, 'session', { status: 'FAILED' }, { id: account.sessionId });
    await changeRows(database, 'historySync', { nextAt: ago({ seconds: 1 }) }, { sessionId: account.sessionId });
    await deleteRows(database, 'dispatch');
    await due();
    expect(await promised(account.sessionId)).toBe(0);
  });
});

describe('decideSync: what an operator decides in Temporal', () => {
  it('is carried out once for each request, and is in the audit', async () => {
    const account = await anAccount(database, { messagesPerChat: 100 });
    account.chats.set(PERSON, talk(PERSON, 150));
    await account.run('first');
    const { decideSync } = createSyncDecisions({ database });
    const decision = {
      sessionId: account.sessionId,
      asked: { act: 'deepen', messagesPerChat: 1_000 } as const,
      actor: 'operator',
      reason: 'asked for by mail',
      requestId: `run/${account.sessionId}`,
    };
    for (const _attempt of [1, 2]) await inActivity(decideSync, decision);
    expect(
      await findRows(database, 'auditEntry', { objectId: account.sessionId }, ['action', 'actor', 'reason', 'keyId']),
    ).toEqual([{ action: 'history_asked', actor: 'operator', reason: 'asked for by mail', keyId: null }]);
    await account.slice();
    expect(await account.rows()).toBe(150);
    const unknown = { ...decision, asked: { act: 'deepen', conversationId: 'cnv_x' } as const, requestId: 'another' };
    await expect(inActivity(decideSync, unknown)).rejects.toThrow('Conversation not found');
  });
});

describe('a reading that somebody stops', () => {
  it('reads what is new and nothing older until it is asked for', async () => {
    const account = await anAccount(database);
    account.chats.set(PERSON, talk(PERSON, 350));
    account.failOnceAt(`${PERSON} 200`);
    await expect(account.run('first')).rejects.toThrow();
    expect(await account.ask({ act: 'stop' })).toBe(true);
    expect(await account.view()).toMatchObject({ state: 'stopped', chatsLeft: 0 });
    expect(await account.slice()).toMatchObject({ more: false, outcome: 'stopped' });
    await account.run('scheduled');
    expect(await account.rows()).toBe(200);
    account.chats.set(PERSON, [...talk(PERSON, 1, NOW_S - 7 * 3_600), ...talk(PERSON, 350)]);
    await account.run('connected');
    expect(await account.rows()).toBe(201);
    await account.ask({ act: 'deepen' });
    await account.slice();
    expect(await account.rows()).toBe(351);
    expect(await account.view()).toMatchObject({ state: 'done' });
  });
});
