import { describe, expect, it } from '@jest/globals';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { anEdit, aReaction } from '../../db/network/message-change.ts';
import { SYNC_ATTEMPTS } from '../../../domain/sessions/history-sync.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { countRows, findRows, like, not, toldPayloads } from '../../support/rows.ts';
import { anAccount, DAY_S, NOW_S, OTHER, PERSON, talk } from './an-account.ts';

const { database } = await databaseOfThisFile();

describe('importHistory: the whole past of an account', () => {
  it('has every message of every chat, the newest of all chats first, and tells nobody', async () => {
    const account = await anAccount(database);
    account.chats.set(PERSON, talk(PERSON, 420)).set(OTHER, talk(OTHER, 3));
    expect(await account.run('first')).toMatchObject({
      more: false,
      outcome: 'done',
      chats: 2,
      chatsLeft: 0,
      messages: 423,
      imported: 423,
      missed: 0,
      window: { from: expect.any(String), to: expect.any(String) },
    });
    expect(await account.rows()).toBe(423);
    expect(account.asked).toEqual(
      ['list 0', ...[0].map((at) => `${PERSON} ${at}`), `${OTHER} 0`, 'list 20'].concat(
        [100, 200, 300, 400].map((at) => `${PERSON} ${at}`),
      ),
    );
    expect(await account.faults()).toEqual([]);
    expect(await account.events()).toBe(0);
    const { sessionId } = account;
    expect(await countRows(database, 'message', { sessionId, awaitsTurn: true })).toBe(0);
    const read = { sessionId, historyComplete: true };
    expect(await countRows(database, 'conversation', { ...read, chatId: PERSON, historySynced: 420 })).toBe(1);
    expect(await countRows(database, 'conversation', { ...read, chatId: not(PERSON), historySynced: 3 })).toBe(1);
    expect((await account.session()).syncedAt).not.toBeNull();
    expect(await account.view()).toMatchObject({
      state: 'done',
      cause: 'first',
      importedInAll: 423,
      isBounded: false,
      nextAt: expect.any(String),
    });
  });

  it('is read once: the next run asks for the list alone and writes nothing', async () => {
    const account = await anAccount(database);
    account.chats.set(PERSON, talk(PERSON, 150));
    await account.run('first');
    account.asked.length = 0;
    expect(await account.run('connected')).toMatchObject({ messages: 0, imported: 0, cause: 'connected' });
    expect(await account.run('scheduled')).toMatchObject({ messages: 0, imported: 0 });
    expect(account.asked).toEqual(['list 0', 'list 0', 'list 20']);
  });

  it('finds what was done to messages that are here, tells that, and tells nothing of what is new', async () => {
    const account = await anAccount(database);
    const said = talk(PERSON, 10);
    const [young, known] = said;
    if (!young || !known) throw new Error('Nothing was said.');
    account.chats.set(PERSON, said.slice(1));
    await account.run('first');
    account.chats.set(PERSON, said);
    account.changes.push(
      anEdit(known.networkId, 'edited', { at: NOW_S * 1_000 }),
      aReaction(young.networkId, '👍', { at: NOW_S * 1_000 }),
      anEdit(young.networkId, young.body, { at: NOW_S * 1_000 }),
    );
    await account.run('connected');
    const { sessionId } = account;
    expect(await findRows(database, 'event', { sessionId, type: like('message.%') }, ['type'])).toEqual([
      { type: 'message.edited' },
    ]);
    expect(await countRows(database, 'message', { sessionId, respondedAt: not(null) })).toBe(1);
    expect(await countRows(database, 'message', { sessionId, body: 'edited' })).toBe(1);
    expect(await countRows(database, 'message', { sessionId, editedAt: not(null) })).toBe(2);
  });

  it('brings nothing back that is older than the tenant keeps messages', async () => {
    const keep = (messageRetentionDays: number | null) =>
      database.transaction((tx) => updateSettings(tx, SCOPE, { messageRetentionDays }));
    const account = await anAccount(database);
    account.chats.set(PERSON, [...talk(PERSON, 3), ...talk(PERSON, 120, NOW_S - 40 * DAY_S)]);
    await keep(30);
    await account.run('first');
    expect(await account.rows()).toBe(3);
    await keep(null);
  });

  it('learns from the list of chats what was read on other devices', async () => {
    const account = await anAccount(database);
    const [young] = talk(PERSON, 1);
    if (!young) throw new Error('Nothing was said.');
    account.chats.set(PERSON, [young]);
    await account.run('first');
    const next = { ...young, networkId: 'next', timestamp: young.timestamp + 10 };
    account.chats.set(PERSON, [next, young]);
    await account.hear(next);
    const unread = () =>
      findRows(database, 'conversation', { sessionId: account.sessionId }, { unread: 'unreadCount' });
    expect(await unread()).toEqual([{ unread: 1 }]);
    account.unread.set(PERSON, 0);
    await account.run('scheduled');
    expect(await unread()).toEqual([{ unread: 0 }]);
  });

  it('learns from the list of chats the name of a group that began with a live message', async () => {
    const account = await anAccount(database);
    const group = '120363000000000888@g.us';
    const said = talk(group, 1);
    for (const message of said) await account.hear(message);
    const nameOf = () => findRows(database, 'conversation', { sessionId: account.sessionId, chatId: group }, ['name']);
    expect(await nameOf()).toEqual([{ name: null }]);
    account.chats.set(group, said);
    account.names.set(group, 'Team');
    await account.run('connected');
    expect(await nameOf()).toEqual([{ name: 'Team' }]);
    account.names.set(group, 'Sales');
    await account.run('scheduled');
    expect(await nameOf()).toEqual([{ name: 'Sales' }]);
  });

  it('goes on after the page at which an attempt was lost, and reads none twice', async () => {
    const account = await anAccount(database);
    account.chats.set(PERSON, talk(PERSON, 350));
    account.failOnceAt(`${PERSON} 200`);
    await expect(account.run('first')).rejects.toThrow();
    expect(await account.view()).toMatchObject({ state: 'waiting', error: 'backend_unavailable', messages: 200 });
    expect(await account.slice()).toMatchObject({ more: false, messages: 350, imported: 350 });
    expect(account.asked.filter((call) => call.startsWith(PERSON))).toEqual(
      [0, 100, 200, 300].map((at) => `${PERSON} ${at}`),
    );
    expect(await account.rows()).toBe(350);
    expect(await account.view()).toMatchObject({ state: 'done', error: null });
  });

  it('passes over a chat that the backend cannot read, and leaves it to the next run in the last attempt', async () => {
    const account = await anAccount(database);
    account.chats.set(PERSON, talk(PERSON, 5)).set(OTHER, talk(OTHER, 250));
    account.unreadable.add(PERSON);
    await expect(account.run('first')).rejects.toThrow();
    expect(await account.rows()).toBe(250);
    expect(await account.view()).toMatchObject({ state: 'waiting', error: 'backend_error', chatsLeft: 1 });
    await expect(account.slice(SYNC_ATTEMPTS - 1)).rejects.toThrow();
    expect(await account.slice(SYNC_ATTEMPTS)).toMatchObject({ more: false, outcome: 'done', chatsLeft: 0 });
    expect(await account.view()).toMatchObject({ state: 'done', isBounded: true, error: null });
    account.unreadable.clear();
    await account.run('scheduled');
    expect(await account.rows()).toBe(255);
  });

  it('ends at the page that it is at when its worker stops', async () => {
    const account = await anAccount(database);
    account.chats.set(PERSON, talk(PERSON, 150));
    account.stopping.abort();
    expect(await account.run('first')).toMatchObject({ more: true, messages: 0 });
  });

  it('does not take entries that nobody can read for the end of a chat', async () => {
    const account = await anAccount(database);
    const said = talk(PERSON, 230);
    account.chats.set(PERSON, [...said.slice(0, 20), null, ...said.slice(20)]);
    expect(await account.run('first')).toMatchObject({ messages: 231, imported: 230 });
  });

  it('comes late: what a phone hands over later is read by a later run, below what was there', async () => {
    const account = await anAccount(database);
    const said = talk(PERSON, 250);
    account.chats.set(PERSON, said.slice(0, 10));
    await account.run('first');
    account.chats.set(PERSON, said).set(OTHER, talk(OTHER, 5));
    account.asked.length = 0;
    expect(await account.run('late')).toMatchObject({ imported: 245 });
    expect(account.asked.filter((call) => call.startsWith(PERSON))).toEqual(
      [10, 110, 210].map((at) => `${PERSON} ${at}`),
    );
    expect(await account.rows()).toBe(255);
    expect(await account.faults()).toEqual([]);
  });

  it('is one row with what has come live, before it and after it', async () => {
    const account = await anAccount(database);
    const said = talk(PERSON, 120);
    const [young, ...rest] = said;
    if (!young) throw new Error('Nothing was said.');
    account.chats.set(PERSON, said);
    await account.hear(young);
    await account.run('first');
    expect(await account.rows()).toBe(120);
    for (const message of rest.slice(0, 2)) await account.hear(message);
    expect(await account.rows()).toBe(120);
    expect(await account.events()).toBe(3);
  });

  it('reads on from the newest message until it meets what is here, when the account comes back', async () => {
    const account = await anAccount(database);
    const old = talk(PERSON, 300);
    account.chats.set(PERSON, old);
    await account.run('first');
    account.asked.length = 0;
    // They are too old to be told.
    account.chats.set(PERSON, [...talk(PERSON, 130, NOW_S - 3 * DAY_S - 1), ...old]);
    expect(await account.run('connected')).toMatchObject({ imported: 130 });
    expect(account.asked.filter((call) => call.startsWith(PERSON))).toEqual(
      [0, 100, 200].map((at) => `${PERSON} ${at}`),
    );
  });

  it('tells what was said since the engine listens and has not come', async () => {
    const account = await anAccount(database);
    account.chats.set(PERSON, talk(PERSON, 5));
    await account.run('first');
    const missed = aNetworkMessage({
      networkId: 'MISSED',
      chatId: PERSON,
      timestamp: NOW_S - 3 * 3_600,
      body: 'Hello?',
    });
    account.chats.set(PERSON, [missed, ...talk(PERSON, 5)]);
    expect(await account.run('connected')).toMatchObject({ missed: 1, imported: 0 });
    expect(await account.events()).toBe(1);
    expect(await account.run('connected')).toMatchObject({ missed: 0 });
  });

  it('brings in a message of a time to come, which no event has told, as one of now', async () => {
    const account = await anAccount(database);
    account.chats.set(PERSON, talk(PERSON, 5));
    await account.run('first');
    const ahead = aNetworkMessage({ networkId: 'AHEAD', chatId: PERSON, timestamp: NOW_S + 3 * DAY_S, body: 'Hello?' });
    account.chats.set(PERSON, [ahead, ...talk(PERSON, 5)]);
    expect(await account.run('connected')).toMatchObject({ missed: 1 });
    const { sessionId } = account;
    const [kept] = await findRows(database, 'message', { sessionId, networkId: 'AHEAD' }, ['occurredAt']);
    expect(Date.parse(kept?.occurredAt ?? '')).toBeLessThanOrEqual(Date.now());
    const [told] = await toldPayloads(database, { sessionId, type: 'message' });
    expect(told).toMatchObject({ body: 'Hello?' });
    expect(told?.['timestamp']).toBeLessThan(NOW_S + DAY_S);
    expect(await account.run('connected')).toMatchObject({ missed: 0 });
  });

  it('tells no message of the past with a time to come or without one', async () => {
    const account = await anAccount(database);
    account.chats.set(PERSON, talk(PERSON, 1));
    await account.run('first');
    const timeless = aNetworkMessage({ networkId: 'TIMELESS', chatId: PERSON, timestamp: 0, body: 'When?' });
    account.chats.set(PERSON, [...talk(PERSON, 1), timeless]);
    await account.ask({ act: 'deepen', messagesPerChat: 1_000, events: true });
    await account.slice();
    const told = await toldPayloads(database, { sessionId: account.sessionId, type: 'message' });
    expect(told).toMatchObject([{ body: 'When?', history: true }]);
    expect(told[0]?.['timestamp']).toBeGreaterThanOrEqual(NOW_S);
  });
});
