import { beforeAll, describe, expect, it } from '@jest/globals';
import { addUpChats } from '../../../db/conversations/inbox/chat-count.ts';
import { indexOldChats } from '../../../db/conversations/search/search-messages.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { addRow, changeRows, countRows, databaseNow, deleteRows, earlier, like, not } from '../../support/rows.ts';
import { anInbox, SINCE } from './an-inbox.ts';
import type { Inbox } from './an-inbox.ts';
import { Chats, Messages, good, problem } from './inbox-answers.ts';

const api = await apiOfThisFile('inbox-lists');

describe('the list of chats', () => {
  let inbox: Inbox;
  beforeAll(async () => {
    inbox = await anInbox(api, 'chats');
    await inbox.converse('chat', 25);
  });

  const list = async (query: Record<string, string> = {}) => {
    const page = Chats.parse(good(await inbox.get('/api/v1/inbox/chats', query)));
    return { ...page, ids: page.chats.map(({ conversationId }) => conversationId) };
  };
  /** Reads to the end by cursors. */
  const readAll = async (query: Record<string, string>, between: () => Promise<unknown> = () => Promise.resolve()) => {
    const ids: string[] = [];
    const totals = new Set<number>();
    for (let cursor: string | null | undefined; cursor !== null; await between()) {
      const page = await list({ ...query, ...(cursor === undefined ? {} : { cursor }) });
      ids.push(...page.ids);
      totals.add(page.total);
      cursor = page.nextCursor;
    }
    return { ids, totals: [...totals] };
  };
  const named = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => `chat${from - n}`);

  it('a dashboard reads it by cursors to its end, each chat once, as it does by offsets', async () => {
    const { ids, totals } = await readAll({ limit: '7' });
    expect(ids).toEqual(named(25, 1));
    expect(totals).toEqual([25]);
    expect((await list({ limit: '7', offset: '21' })).ids).toEqual(named(4, 1));
    expect(await list({ limit: '5', offset: '30' })).toMatchObject({ ids: [], total: 25, hasMore: false });
  });

  it('a dashboard that reads on while others write sees each chat that stood still once, also those of one moment', async () => {
    await changeRows(
      api.database,
      'conversation',
      { lastMessageAt: new Date(SINCE) },
      { id: ['chat1', 'chat2', 'chat3'] },
    );
    let written = 25;
    const { ids } = await readAll({ limit: '4' }, async () => {
      if (written > 23) await inbox.hear(`chat${written--}`);
    });
    expect(ids.toSorted()).toEqual(named(25, 1).toSorted());
    expect((await list({ limit: '2' })).ids).toEqual(['chat24', 'chat25']);
  });

  it('a dashboard narrows it by what is unread, who has it, and what has changed', async () => {
    await changeRows(api.database, 'conversation', { unreadCount: 2 }, { id: ['chat5', 'chat6'] });
    expect((await list({ unread: 'true', offset: '2' })).ids).toEqual(['chat6', 'chat5']);
    expect(await list({ unread: 'true' })).toMatchObject({ total: 4 });
    expect(await list({ unread: 'false' })).toMatchObject({ total: 21 });
    const before = (await list({ limit: '1' })).chats[0]?.updatedAt ?? '';
    await inbox.post('/api/v1/conversations/chat7/assign', { assignee: 'Maria' });
    await inbox.post('/api/v1/conversations/chat8/assign', { assignee: 'Jo' });
    expect(await list({ mode: 'human_takeover' })).toMatchObject({ ids: ['chat8', 'chat7'], total: 2 });
    expect(await list({ mode: 'bot_active' })).toMatchObject({ total: 23 });
    expect(await list({ assignedTo: 'Maria' })).toMatchObject({ ids: ['chat7'], total: 1 });
    const since = new Date(Date.parse(before) + 1).toISOString();
    await changeRows(api.database, 'conversation', { lastSeq: 7 }, { id: 'chat9' });
    expect((await list({ updatedSince: since })).ids).toContain('chat7');
    expect((await list({ updatedSince: since })).ids).not.toContain('chat9');
  });

  it('a dashboard finds chats by parts of names and numbers, also when they are learned or changed later', async () => {
    const find = async (search: string) => (await list({ search })).ids;
    await inbox.converse('guest', 2);
    const of = { agencyId: inbox.agencyId, tenantId: inbox.tenantId };
    const names = { name: 'Márta Møller', pushName: 'Mimi' };
    await addRow(api.database, 'contact', { ...of, ...names, id: 'con_guest', chatId: '4915112345678@c.us' });
    await changeRows(api.database, 'conversation', { contactId: 'con_guest', name: null }, { id: 'guest1' });
    expect(await find('guest')).toEqual(['guest2']);
    for (const typed of ['mart', 'MÁRTA mø', 'mimi', 'mart* mimi'])
      expect([typed, await find(typed)]).toEqual([typed, ['guest1']]);
    expect(await find('51123')).toEqual([]);
    await addRow(api.database, 'contactAlias', {
      agencyId: inbox.agencyId,
      tenantId: inbox.tenantId,
      chatId: '4915112345678@c.us',
      contactId: 'con_guest',
    });
    const typedPhones = ['51123', '+49 151 1234', '5678', 'mart 151', '+49 (151) 1234-5678', '49.151/1234', '1234-56'];
    for (const typed of typedPhones) expect([typed, await find(typed)]).toEqual([typed, ['guest1']]);
    await addRow(api.database, 'sessionContact', {
      sessionId: inbox.sessionId,
      contactId: 'con_guest',
      name: 'Plumber',
    });
    expect(await find('plum')).toEqual(['guest1']);
    await changeRows(api.database, 'sessionContact', { name: 'Electrician' }, { contactId: 'con_guest' });
    await changeRows(api.database, 'contact', { pushName: 'Anne-Marie O’Neill 王小明' }, { id: 'con_guest' });
    for (const typed of ['anne-marie', 'Anne-Mar', 'o’neill', '王小', '小明', '"Anne-Marie"'])
      expect([typed, await find(typed)]).toEqual([typed, ['guest1']]);
    await changeRows(api.database, 'contact', { pushName: 'Sparky' }, { id: 'con_guest' });
    expect([await find('plum'), await find('mimi'), await find('elec spar')]).toEqual([[], [], ['guest1']]);
    expect(await list({ search: 'guest', unread: 'false' })).toMatchObject({ total: 1 });
    const other = await anInbox(api, 'guests');
    expect(good(await other.get('/api/v1/inbox/chats', { search: 'guest' }))).toMatchObject({ chats: [], total: 0 });
    await deleteRows(api.database, 'chatText');
    await changeRows(api.database, 'chatTextFill', { afterId: '', isDone: false });
    while ((await api.database.transaction((tx) => indexOldChats(tx, 5))) > 0);
    expect(await find('sparky')).toEqual(['guest1']);
    await changeRows(api.database, 'conversation', { mergedInto: 'guest2', lastMessageAt: null }, { id: 'guest1' });
    expect(await countRows(api.database, 'chatText', { conversationId: 'guest1' })).toBe(0);
    await deleteRows(api.database, 'conversation', { id: like('guest%') });
    expect(await find('guest')).toEqual([]);
    expect(problem(await inbox.get('/api/v1/inbox/chats', { search: '?!' })).pointers).toEqual(['query/search']);
  });

  it('its total is kept and not counted, and equals a recount whatever comes and goes', async () => {
    const recount = () =>
      countRows(api.database, 'conversation', { sessionId: inbox.sessionId, lastMessageAt: not(null) });
    await inbox.converse('later', 3);
    await addRow(api.database, 'conversation', {
      id: 'empty',
      agencyId: inbox.agencyId,
      tenantId: inbox.tenantId,
      sessionId: inbox.sessionId,
      chatId: 'empty@g.us',
    });
    expect((await list()).total).toBe(28);
    await changeRows(api.database, 'conversation', { lastMessageAt: databaseNow }, { id: 'empty' });
    await changeRows(api.database, 'conversation', { lastMessageAt: null }, { id: 'later1' });
    await deleteRows(api.database, 'conversation', { id: 'later2' });
    expect((await list()).total).toBe(await recount());
    while ((await api.database.transaction((tx) => addUpChats(tx, 1))) > 0);
    expect(await countRows(api.database, 'chatCount', { sessionId: inbox.sessionId })).toBe(1);
    expect((await list()).total).toBe(await recount());
    // As an upgrade finds a session whose chats nobody has counted.
    await deleteRows(api.database, 'chatCount', { sessionId: inbox.sessionId });
    await inbox.converse('last', 2);
    expect((await list()).total).toBe(await recount());
    await deleteRows(api.database, 'conversation', { id: like('la%') });
    await deleteRows(api.database, 'conversation', { id: 'empty' });
  });

  it('is brought up to date as deep as the reader asks, and no sooner than it has grown old', async () => {
    const syncing = async (pages: string) => good(await inbox.get('/api/v1/inbox/chats', { pages }))['syncing'];
    const wanted = () => countRows(api.database, 'dispatch', { workflowId: `sync/${inbox.sessionId}` });
    expect(await syncing('20')).toBe(false);
    await changeRows(
      api.database,
      'session',
      { status: 'WORKING', syncedAt: api.database.clock.now(), syncedPages: 2 },
      { id: inbox.sessionId },
    );
    expect([await syncing('1'), await syncing('2'), await wanted()]).toEqual([false, false, 0]);
    expect([await syncing('3'), await wanted()]).toEqual([true, 1]);
    await changeRows(api.database, 'session', { syncedAt: earlier({ minutes: 1 }) }, { id: inbox.sessionId });
    expect(await syncing('1')).toBe(true);
    await changeRows(api.database, 'session', { status: 'STOPPED' }, { id: inbox.sessionId });
  });

  it('refuses what is out of range, and cursors of another list or another tenant', async () => {
    const ask = async (query: Record<string, string>) => problem(await inbox.get('/api/v1/inbox/chats', query));
    const refused = (pointer: string) => ({ status: 422, code: 'invalid_request', pointers: [pointer] });
    for (const [name, value] of [
      ['limit', '0'],
      ['limit', '1001'],
      ['offset', '-1'],
      ['offset', '100001'],
      ['pages', '21'],
      ['unread', 'perhaps'],
      ['mode', 'robot'],
      ['updatedSince', 'yesterday'],
      ['assignedTo', ''],
      ['cursor', 'nonsense'],
    ] as const) {
      expect(await ask({ [name]: value })).toEqual(refused(`query/${name}`));
    }
    const { nextCursor } = await list({ limit: '3' });
    const cursor = nextCursor ?? '';
    expect(await ask({ cursor, unread: 'true' })).toEqual(refused('query/cursor'));
    const other = await anInbox(api, 'strangers');
    expect(problem(await other.get('/api/v1/inbox/chats', { cursor }))).toEqual(refused('query/cursor'));
    await inbox.say('chat1', 3);
    const messages = Messages.parse(
      good(await inbox.get('/api/v1/inbox/conversations/chat1/messages', { limit: '1' })),
    );
    expect(await ask({ cursor: messages.nextCursor ?? '' })).toEqual(refused('query/cursor'));
  });
});
