import { describe, expect, it } from '@jest/globals';
import { createHistoryActivities } from '../../../activities/sessions/history.ts';
import type { SessionCalls } from '../../../adapters/backend/backends.ts';
import { EngineError } from '../../../domain/error.ts';
import type { NetworkChat, NetworkLabel, NetworkMessage } from '../../../domain/network/network-event.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { aNetworkMessage, pageOf } from '../../support/network-message.ts';
import { changeRows, countRows, deleteRows, findRow, findRows } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

const PAGE = 20;
const READ = 50;

function aChat(chatId: string): NetworkChat {
  return { chatId, name: null, pictureUrl: null, unreadCount: null, lastMessage: null, lastAt: null };
}

function aMessage(chatId: string, number: number): NetworkMessage {
  return aNetworkMessage({
    networkId: `${chatId}-${number}`,
    chatId,
    body: `message ${number}`,
    timestamp: 1_700_000_000 - number,
  });
}

const { database, session, sessionId } = await databaseOfThisFile();

describe('syncChats, syncMessages, finishSync: the past of an account', () => {
  /** An account with those chats, each with so many messages; `asked` is where each read of messages began. */
  function anAccount(chats: NetworkChat[], messages = 0, labels: NetworkLabel[] = []) {
    const asked: number[] = [];
    const activities = createHistoryActivities({
      database,
      backends: everywhere<Pick<SessionCalls, 'listChats' | 'listMessages' | 'listLabels' | 'listChatsOfLabel'>>({
        listChats: async ({ limit, offset }) => pageOf(chats.slice(offset, offset + limit)),
        listLabels: async () => labels,
        listChatsOfLabel: async () => chats.map(({ chatId }) => chatId),
        listMessages: async ({ chatId, limit, offset }) => {
          asked.push(offset);
          const numbers = Array.from({ length: messages }, (_, number) => number).slice(offset, offset + limit);
          return pageOf(numbers.map((number) => aMessage(chatId, number)));
        },
      }),
    });
    return { ...activities, asked };
  }

  async function aConversation(chatId: string): Promise<string> {
    const { syncChats } = anAccount([aChat(chatId)]);
    const { conversationIds } = await inActivity(syncChats, { sessionId, page: 0 });
    return conversationIds[0] ?? '';
  }

  it('syncChats: brings a page of chats in, says whether there are more, and is the same again', async () => {
    const people = Array.from({ length: PAGE }, (_, index) => aChat(`155506${10_000 + index}@c.us`));
    const { syncChats } = anAccount([...people, aChat('15550700001@c.us'), aChat('120363000000000000@newsletter')]);
    const first = await inActivity(syncChats, { sessionId, page: 0 });
    expect(first).toMatchObject({ more: true });
    expect(first.conversationIds).toHaveLength(PAGE);
    const second = await inActivity(syncChats, { sessionId, page: 1 });
    // A channel is nobody's conversation.
    expect(second).toEqual({ conversationIds: [expect.any(String)], more: false });
    expect(await inActivity(syncChats, { sessionId, page: 1 })).toEqual(second);
  });

  it('syncChats: reads which chats have which labels once an hour, and does without where nobody can tell', async () => {
    const chatId = '15550700009@c.us';
    const forget = () => deleteRows(database, 'labelImport');
    const labelled = () => countRows(database, 'chatLabel', { chatId, isSet: true });
    const reading = (labels: NetworkLabel[]) =>
      inActivity(anAccount([aChat(chatId)], 0, labels).syncChats, { sessionId, page: 0 });
    const label = { id: '1', name: 'Lead', color: 1, colorHex: '#64c4ff' };
    await forget();
    await reading([label]);
    expect(await labelled()).toBe(1);
    await reading([]);
    expect(await labelled()).toBe(1);
    const unable = createHistoryActivities({
      database,
      backends: everywhere({
        listChats: async () => pageOf([aChat(chatId)]),
        listMessages: async () => pageOf<NetworkMessage>([]),
        listLabels: async () => {
          throw new EngineError('not_supported_by_engine', 'It cannot list the labels.');
        },
        listChatsOfLabel: async () => [],
      }),
    });
    await forget();
    expect((await inActivity(unable.syncChats, { sessionId, page: 0 })).conversationIds).toHaveLength(1);
    expect([await labelled(), await countRows(database, 'labelImport')]).toEqual([1, 1]);
    await forget();
    await reading([]);
    expect(await labelled()).toBe(0);
  });

  it('syncMessages: reads as deep as asked, and goes on where an attempt that was lost has been', async () => {
    const conversationId = await aConversation('15550700002@c.us');
    const { syncMessages, asked } = anAccount([], 4 * READ);
    const lost = { heartbeatDetails: { read: READ } };
    expect(await inActivity(syncMessages, { conversationId, depth: 2 * READ }, lost)).toEqual({ messages: READ });
    expect(asked).toEqual([READ]);
    // The other attempt has read these already, so they are not counted again.
    expect(await inActivity(syncMessages, { conversationId, depth: 2 * READ })).toEqual({ messages: READ });
    expect(asked).toEqual([READ, 0, READ]);
    expect(await countRows(database, 'message', { conversationId })).toBe(2 * READ);
  });

  it('syncMessages: knows when it has come to the beginning of the chat', async () => {
    const conversationId = await aConversation('15550700003@c.us');
    const { syncMessages } = anAccount([], 3);
    await inActivity(syncMessages, { conversationId, depth: 2 * READ });
    const rows = await findRows(
      database,
      'conversation',
      { id: conversationId },
      { read: 'historySynced', complete: 'historyComplete' },
    );
    expect(rows).toEqual([{ read: 3, complete: true }]);
  });

  describe('syncMessages, for a stub under another address of the contact', () => {
    let people = 0;
    /** Two spellings of a number are one contact: the chat has the second, and the stub lies under the first. */
    async function aStubUnderTheFirst(wasAsked = true) {
      people += 1;
      const [first, second] = [`52551235100${people}@c.us`, `521551235100${people}@c.us`];
      const timestamp = Math.floor(Date.now() / 1_000);
      const stub = aNetworkMessage({ networkId: `STUB${people}`, chatId: first, timestamp, kind: 'other', body: '' });
      const later = aNetworkMessage({ networkId: `LATER${people}`, chatId: second, timestamp });
      for (const message of [stub, later]) {
        const event = { kind: 'message' as const, key: message.networkId, message };
        await database.transaction((tx) => applyNetworkEvent(tx, session, event));
      }
      const { networkId } = stub;
      if (wasAsked) await changeRows(database, 'message', { contentAskedAt: new Date() }, { networkId });
      const { id, conversationId } = await findRow(database, 'message', { networkId }, ['id', 'conversationId']);
      const read = (refusals: Record<string, EngineError>, attempt = 1) => {
        const asked: string[] = [];
        const { syncMessages } = createHistoryActivities({
          database,
          backends: everywhere({
            listChats: async () => pageOf<NetworkChat>([]),
            listLabels: async () => [],
            listChatsOfLabel: async () => [],
            listMessages: async ({ chatId }) => {
              asked.push(chatId);
              if (refusals[chatId]) throw refusals[chatId];
              return pageOf<NetworkMessage>(
                chatId === first ? [{ ...stub, kind: 'text', body: 'The words' }] : [later],
              );
            },
          }),
        });
        return { asked, reading: inActivity(syncMessages, { conversationId, depth: READ }, { attempt }) };
      };
      const words = async () => (await findRow(database, 'message', { id }, ['body'])).body;
      return { first, second, read, words };
    }
    const missing = new EngineError('not_found', 'The messaging backend found nothing to list the messages.');
    const refused = new EngineError('backend_error', 'The messaging backend refused to list the messages: http_500.');

    it('reads each address where a repair asks for the content, and else the one of the chat', async () => {
      const unasked = await aStubUnderTheFirst(false);
      const some = unasked.read({});
      await some.reading;
      expect([some.asked, await unasked.words()]).toEqual([[unasked.second], '']);

      const { first, second, read, words } = await aStubUnderTheFirst();
      const all = read({});
      await all.reading;
      expect([all.asked, await words()]).toEqual([[second, first], 'The words']);
      // Nothing is missing any more.
      const again = read({});
      await again.reading;
      expect(again.asked).toEqual([second]);
    });

    it('goes on with the next address where the backend has no chat under one', async () => {
      const { first, second, read, words } = await aStubUnderTheFirst();
      const { asked, reading } = read({ [second]: missing });
      await reading;
      expect([asked, await words()]).toEqual([[second, first], 'The words']);
      const only = await aStubUnderTheFirst(false);
      await expect(only.read({ [only.second]: missing }).reading).rejects.toThrow(missing.message);
    });

    it('tries a refusal again before it takes it for no chat', async () => {
      const { first, second, read, words } = await aStubUnderTheFirst();
      const early = read({ [second]: refused });
      await expect(early.reading).rejects.toThrow(refused.message);
      expect([early.asked, await words()]).toEqual([[second], '']);
      const late = read({ [second]: refused }, 3);
      await late.reading;
      expect([late.asked, await words()]).toEqual([[second, first], 'The words']);
    });
  });

  it('syncChats, syncMessages: have nothing to do for what is gone', async () => {
    const { syncChats, syncMessages } = anAccount([aChat('15550700004@c.us')], 3);
    const none = { conversationIds: [], more: false };
    expect(await inActivity(syncChats, { sessionId: 'ses_gone', page: 0 })).toEqual(none);
    expect(await inActivity(syncMessages, { conversationId: 'cnv_gone', depth: 1 })).toEqual({ messages: 0 });
  });

  it('finishSync: notes how deep the account has been read; a shorter read takes nothing back', async () => {
    const { finishSync } = anAccount([]);
    for (const pages of [3, 1]) await finishSync({ sessionId, pages });
    const rows = await findRows(database, 'session', { id: sessionId }, ['syncedPages', 'syncedAt']);
    expect(rows).toEqual([{ syncedPages: 3, syncedAt: expect.anything() }]);
  });
});
