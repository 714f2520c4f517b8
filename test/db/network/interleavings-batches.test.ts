import { afterAll, describe, expect, it } from '@jest/globals';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import { applyNetworkEvents } from '../../../db/network/ingest.ts';
import { rememberErased } from '../../../db/personal-data/erased-address.ts';
import { insertSession } from '../../../db/sessions/session.ts';
import { listSequenceFaults } from '../../activities/webhooks/delivery-truth.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { countRows, findRow, findRows, toldEvents } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { inEveryOrder } from '../interleave.ts';
import { stepped } from '../sending/stepped.ts';

const { database, session } = await databaseOfThisFile();

describe('batches that two processes apply at the same time', () => {
  let people = 0;
  let serial = 0;

  afterAll(async () => {
    expect(await listSequenceFaults(database)).toEqual([]);
  });

  const person = () => `1555${7_300_000 + people++}@c.us`;

  function toldBy(sessionId: string, chatIds: readonly string[], texts = chatIds) {
    return chatIds.map((chatId, place) => {
      const networkId = `B${serial++}`;
      const timestamp = Math.floor(Date.now() / 1_000);
      const message = aNetworkMessage({ networkId, chatId, timestamp, body: texts[place] ?? '' });
      return {
        session: { ...session, id: sessionId },
        event: { kind: 'message' as const, key: networkId, message },
        receivedAt: null,
      };
    });
  }

  /** A message of each of these people in one transaction, which stops between them as a batch of them does not. */
  function batch(sessionId: string, chatIds: readonly string[], texts = chatIds) {
    const told = toldBy(sessionId, chatIds, texts);
    return stepped<void>(database, async (tx) => {
      for (const each of told) await applyNetworkEvents(tx, [each]);
    });
  }

  it('make each person and each conversation once, though the two met them the other way round', async () => {
    const other = await database.transaction((tx) => insertSession(tx, SCOPE, { name: 'other' }));
    await inEveryOrder(1, async () => {
      const [one, two] = [person(), person()];
      const transactions = [batch(session.id, [one, two]), batch(other ?? '', [two, one])];
      return {
        transactions,
        async check(order) {
          await Promise.all(transactions.map(({ result }) => result));
          const both = [one, two];
          expect({
            order,
            contacts: await countRows(database, 'contact', { chatId: both }),
            conversations: await countRows(database, 'conversation', { chatId: both }),
            messages: await countRows(database, 'message', { body: both }),
            told: (await Promise.all(both.map((body) => toldEvents(database, {}, { body })))).flat().length,
          }).toEqual({ order, contacts: 2, conversations: 4, messages: 4, told: 4 });
        },
      };
    });
  });

  it('count every unread message and show the last one, though both write into one conversation', async () => {
    await inEveryOrder(1, async () => {
      const chatId = person();
      const transactions = [
        batch(session.id, [chatId, chatId], ['first', 'second']),
        batch(session.id, [chatId], ['third']),
      ];
      return {
        transactions,
        async check(order) {
          await Promise.all(transactions.map(({ result }) => result));
          const { id, ...line } = await findRow(
            database,
            'conversation',
            { chatId },
            { id: 'id', unread: 'unreadCount', last: 'lastMessageId' },
          );
          const stored = await findRows(database, 'message', { conversationId: id }, ['id']);
          const shown = stored.some((message) => message.id === line.last);
          expect({ order, unread: line.unread, stored: stored.length, shown }).toEqual({
            order,
            unread: 3,
            stored: 3,
            shown: true,
          });
        },
      };
    });
  });

  it('leave nothing of a person who is erased while the batch waits for another conversation', async () => {
    const [busy, erased] = [person(), person()];
    const erase = async (chatId: string) => {
      const erasedAt = new Date(Date.now() + 1_000);
      await database.transaction((tx) => rememberErased(tx, { ...SCOPE, chatIds: [chatId] }, erasedAt));
    };
    await database.transaction((tx) => applyNetworkEvents(tx, toldBy(session.id, [busy])));
    // The digests of a tenant exist from its first erasure on.
    await erase(person());
    const [talk] = await findRows(database, 'conversation', { chatId: busy }, ['id']);
    const holder = stepped(database, (tx) => lockConversation(tx, talk?.id ?? ''));
    const waiting = stepped<void>(database, (tx) => applyNetworkEvents(tx, toldBy(session.id, [busy, erased])));
    for (const each of [holder, waiting]) await each.begun;
    await holder.step();
    while (!waiting.blocked && !waiting.over) await waiting.step();
    expect(waiting.blocked).toBe(true);
    await erase(erased);
    while (!holder.over) await holder.step();
    while (!waiting.over) await waiting.step();
    await Promise.all([holder.result, waiting.result]);
    expect({
      ofOther: await countRows(database, 'message', { conversationId: talk?.id }),
      messages: await countRows(database, 'message', { body: erased }),
      contacts: await countRows(database, 'contactAlias', { chatId: erased }),
      conversations: await countRows(database, 'conversation', { chatId: erased }),
    }).toEqual({ ofOther: 2, messages: 0, contacts: 0, conversations: 0 });
  });
});
