import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { withLabelLease } from '../../../api/conversations/labels.ts';
import { Watch } from '../../../api/wire/watch.ts';
import { countNarrowed, listChats } from '../../../db/conversations/inbox/chats.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { areLabelsStale, importLabels } from '../../../db/conversations/labels/label-import.ts';
import { changeLabels } from '../../../db/network/change-labels.ts';
import { giveBackLabelLease, takeLabelLease } from '../../../db/conversations/labels/label-lease.ts';
import { listLabelsOf, recordChatLabels, recordLabels } from '../../../db/conversations/labels/labels.ts';
import type { NetworkEvent, NetworkLabel } from '../../../domain/network/network-event.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, countRows, findRows, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { inEveryOrder } from '../interleave.ts';
import { roundTripsOf, watched } from '../round-trips.ts';
import { stepped } from '../sending/stepped.ts';

const { database, session, sessionId } = await databaseOfThisFile();
const scope = { ...SCOPE, sessionId: null };

const label = (id: string, name: string | null = `Label ${id}`): NetworkLabel => ({
  id,
  name,
  color: 1,
  colorHex: '#64c4ff',
});
const saved = (id: string, at: number, name?: string): NetworkEvent => ({
  kind: 'label',
  key: `${id}:${at}`,
  at,
  label: label(id, name),
  isDeleted: false,
});
const deleted = (id: string, at: number): NetworkEvent => ({
  kind: 'label',
  key: `${id}:${at}`,
  at,
  label: label(id),
  isDeleted: true,
});
const put = (chatId: string, labelId: string, at: number, isSet = true): NetworkEvent => ({
  kind: 'chat_label',
  key: `${chatId}:${labelId}:${at}`,
  at,
  chatId,
  labelId,
  label: null,
  isSet,
});
const takenOff = (chatId: string, labelId: string, at: number) => put(chatId, labelId, at, false);

let people = 0;
/** A conversation in the list of chats; answers its id and its chat. */
async function aChat(aliases: string[] = []): Promise<{ id: string; chatId: string }> {
  people += 1;
  const chatId = `155503${10_000 + people}@c.us`;
  return database.transaction(async (tx) => {
    const { id } = await ensureConversation(tx, { ...SCOPE, sessionId }, { chatId, aliases });
    await changeRows(tx, 'conversation', { lastMessageAt: tx.now }, { id });
    return { id, chatId };
  });
}

async function tell(...events: NetworkEvent[]): Promise<void> {
  for (const event of events) await database.transaction((tx) => applyNetworkEvent(tx, session, event));
}

async function labelsOf(conversationId: string): Promise<string[]> {
  const labels = await database.read((queries) => listLabelsOf(queries, sessionId, [conversationId]));
  return (labels.get(conversationId) ?? []).map(({ id, name }) => `${id}:${name}`);
}

async function withLabel(id: string, page = { limit: 10, offset: 0 }) {
  const wanted = { sessionId, filter: { label: id }, after: null, ...page };
  const { total, chats } = await database.read(async (queries) => ({
    total: await countNarrowed(queries, scope, wanted),
    chats: await listChats(queries, scope, wanted),
  }));
  return { total, ids: chats.map((chat) => chat.id) };
}

describe('labels that the network tells of', () => {
  it('end the same, in whatever order their reports come', async () => {
    const reports = (chatId: string, labelId: string) => [
      saved(labelId, 1, 'Lead'),
      put(chatId, labelId, 2),
      saved(labelId, 3, 'Customer'),
      takenOff(chatId, labelId, 4),
      put(chatId, labelId, 5),
    ];
    const orders = [
      [0, 1, 2, 3, 4],
      [4, 3, 2, 1, 0],
      [4, 0, 3, 2, 1],
      [1, 1, 4, 4, 2, 3, 0],
    ];
    for (const [number, order] of orders.entries()) {
      const { id, chatId } = await aChat();
      const told = reports(chatId, `order-${number}`);
      await tell(...order.flatMap((place) => told[place] ?? []));
      expect(await labelsOf(id)).toEqual([`order-${number}:Customer`]);
    }
  });

  it('are taken off under another address than they were put on', async () => {
    const hidden = '555000999@lid';
    const { id, chatId } = await aChat([hidden]);
    await tell(saved('20', 1), put(chatId, '20', 2));
    expect(await labelsOf(id)).toEqual(['20:Label 20']);
    await tell(takenOff(hidden, '20', 3));
    expect(await labelsOf(id)).toEqual([]);
    await tell(put(hidden, '20', 4));
    expect(await labelsOf(id)).toEqual(['20:Label 20']);
    expect(await withLabel('20')).toEqual({ total: 1, ids: [id] });
  });

  it('go from all chats when they are deleted, and come back without them', async () => {
    const { id, chatId } = await aChat();
    await tell(saved('30', 1), put(chatId, '30', 2), deleted('30', 3));
    expect(await labelsOf(id)).toEqual([]);
    expect((await withLabel('30')).total).toBe(0);
    await tell(saved('30', 4, 'New'));
    expect(await labelsOf(id)).toEqual([]);
  });

  it('are told to dashboards once, and only of chats that have a conversation', async () => {
    const { id, chatId } = await aChat();
    const eventsOf = () => countRows(database, 'event', { type: 'conversation.labelled', conversationId: id });
    await rowsOf(database, sql`update endpoint set events = events || '{conversation.labelled}'`);
    await tell(saved('40', 1), put(chatId, '40', 2), put(chatId, '40', 3), put('15550399999@c.us', '40', 4));
    const first = await eventsOf();
    await tell(takenOff(chatId, '40', 5), takenOff(chatId, '40', 6));
    expect([first, await eventsOf()]).toEqual([1, 2]);
  });
});

describe('labels that are set by a request', () => {
  it('are told once, in whatever order the request and the report of the network are recorded', async () => {
    await tell(saved('55', 1));
    const orders = await inEveryOrder(1, async () => {
      const { id, chatId } = await aChat();
      const at = Date.parse('2026-03-02T09:30:00Z');
      const request = stepped(database, (tx) =>
        changeLabels(
          { transaction: (work) => work(tx) },
          { ...SCOPE, sessionId, chatId },
          {
            mode: 'replace',
            given: ['55'],
            known: ['55'],
            read: async () => [],
            set: async () => new Date(at + 999),
          },
        ),
      );
      const report = stepped(database, (tx) => applyNetworkEvent(tx, session, put(chatId, '55', at + 300)));
      return {
        transactions: [request, report],
        check: async (order) => {
          expect({
            order,
            told: await countRows(database, 'event', { type: 'conversation.labelled', conversationId: id }),
          }).toEqual({ order, told: 1 });
        },
      };
    });
    expect(orders).toBeGreaterThan(3);
  });

  it('are all that the chat has, whichever address they were put on', async () => {
    const hidden = '555000998@lid';
    const { id, chatId } = await aChat([hidden]);
    await database.transaction((tx) =>
      recordLabels(
        tx,
        sessionId,
        ['50', '51', '52'].map((each) => label(each)),
      ),
    );
    await tell(put(hidden, '50', 1), put(chatId, '51', 1));
    const place = { ...SCOPE, sessionId, chatId };
    const set = (ids: string[]) => database.transaction((tx) => recordChatLabels(tx, place, ids));
    expect(await set(['51', '52'])).toBe(true);
    expect(await labelsOf(id)).toEqual(['51:Label 51', '52:Label 52']);
    expect(await set(['52', '51'])).toBe(false);
    expect(await set([])).toBe(true);
    expect(await labelsOf(id)).toEqual([]);
  });

  it('are not undone by late reports of what was set before, and are by later ones', async () => {
    const { id, chatId } = await aChat();
    await tell(saved('55', 1));
    await database.transaction((tx) => recordChatLabels(tx, { ...SCOPE, sessionId, chatId }, ['55'], new Date(900)));
    await database.transaction((tx) => recordChatLabels(tx, { ...SCOPE, sessionId, chatId }, [], new Date(1_999)));
    await tell(put(chatId, '55', 901));
    expect(await labelsOf(id)).toEqual([]);
    await tell(put(chatId, '55', 2_000));
    expect(await labelsOf(id)).toEqual(['55:Label 55']);
  });

  it.each([
    { told: 'after its answer', isToldFirst: false },
    { told: 'before its answer', isToldFirst: true },
  ])('follow the phone within the second of a change by API that is reported $told', async ({ isToldFirst }) => {
    const { id, chatId } = await aChat();
    await tell(saved('56', 1), saved('57', 1), put(chatId, '57', 1_000));
    if (isToldFirst) await tell(put(chatId, '56', 2_100));
    const both = ['56', '57'];
    await database.transaction((tx) => recordChatLabels(tx, { ...SCOPE, sessionId, chatId }, both, new Date(2_999)));
    if (!isToldFirst) await tell(put(chatId, '56', 2_100));
    expect(await labelsOf(id)).toEqual(['56:Label 56', '57:Label 57']);
    await tell(takenOff(chatId, '56', 2_500), takenOff(chatId, '57', 2_600));
    expect(await labelsOf(id)).toEqual([]);
    await tell(put(chatId, '56', 2_400));
    expect(await labelsOf(id)).toEqual([]);
  });

  it('are set by one request after the other, and a lease that is over holds nobody up', async () => {
    const chat = { sessionId, chatId: '15550399001@c.us' };
    const take = (forMs: number) => database.statement((tx) => takeLabelLease(tx, chat, { forMs }));
    const giveBack = (token: string) => database.statement((tx) => giveBackLabelLease(tx, chat, token));
    const first = await take(60_000);
    expect(first).not.toBeNull();
    expect(await take(60_000)).toBeNull();
    await giveBack('of somebody else');
    expect(await take(60_000)).toBeNull();
    await giveBack(first ?? '');
    const dead = await take(-1_000);
    const next = await take(60_000);
    expect(next).not.toBeNull();
    // Whoever comes back late takes nothing from whoever has the lease now.
    await giveBack(dead ?? '');
    expect(await take(60_000)).toBeNull();
  });

  it('is waited for without asking again and again, and is had as soon as it is given back', async () => {
    const chat = { sessionId, chatId: '15550399002@c.us' };
    const token = await database.statement((tx) => takeLabelLease(tx, chat, { forMs: 60_000 }));
    const messageWatch = new Watch(database.wakeups, 'message');
    let asked = 0;
    const asking = watched(database, () => void (asked += 1));
    const { signal } = new AbortController();
    const changed = withLabelLease({ database: asking, messageWatch }, { ...chat, signal }, async () => asked);
    // The second look is for what other processes did before they heard of the one who waits.
    await eventually(() => asked === 2, { what: 'the second look' });
    await database.statement((tx) => giveBackLabelLease(tx, chat, token ?? ''));
    // The second look may come to the database after the return, and then needs no third.
    expect(await changed).toBeLessThanOrEqual(3);
    messageWatch.close();
  });
});

describe('labels that are read as a whole', () => {
  it('stand for what was there, and leave what has changed since', async () => {
    const [kept, gone, late] = [await aChat(), await aChat(), await aChat()];
    await tell(saved('60', 1), saved('61', 1), put(kept.chatId, '60', 2), put(gone.chatId, '60', 2));
    const startedAt = new Date(database.clock.now().getTime() + 1);
    while (database.clock.now() <= startedAt);
    await tell(put(late.chatId, '60', 3), takenOff(kept.chatId, '60', 3));
    const labels = [
      { ...label('60', 'Renamed'), chatIds: [kept.chatId] },
      { ...label('62'), chatIds: [gone.chatId] },
    ];
    expect(await database.read((queries) => areLabelsStale(queries, sessionId))).toBe(true);
    await database.transaction((tx) => importLabels(tx, sessionId, { labels, startedAt }));
    expect(await labelsOf(kept.id)).toEqual([]);
    expect(await labelsOf(gone.id)).toEqual(['62:Label 62']);
    expect(await labelsOf(late.id)).toEqual(['60:Renamed']);
    expect(await database.read((queries) => areLabelsStale(queries, sessionId))).toBe(false);
    expect(await findRows(database, 'label', { id: '61' }, ['isDeleted'])).toEqual([{ isDeleted: true }]);
  });

  it('are shown in one statement for a page of chats, and listed page by page, newest first', async () => {
    const chats = [await aChat(), await aChat(), await aChat()];
    await tell(saved('70', 1), ...chats.map(({ chatId }, index) => put(chatId, '70', index + 2)));
    const ids = chats.map(({ id }) => id);
    expect(await roundTripsOf(database, (tx) => listLabelsOf(tx, sessionId, ids))).toBe(1);
    expect(await withLabel('70', { limit: 2, offset: 0 })).toEqual({ total: 3, ids: ids.toReversed().slice(0, 2) });
    expect(await withLabel('70', { limit: 2, offset: 2 })).toEqual({ total: 3, ids: ids.slice(0, 1) });
    expect((await withLabel('nothing')).total).toBe(0);
  });
});
