import { describe, expect, it } from '@jest/globals';
import { importChat, importMessages } from '../../../db/network/history.ts';
import { unmergeContact } from '../../../db/network/unmerge/unmerge.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, earlier, findRow, findRows, toldPayloads } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { adoptIn } from './adopt.ts';
import { applyNetworkEvent } from './apply-event.ts';

const { database, session } = await databaseOfThisFile();
let ids = 0;
const newId = () => `TWICE${(ids += 1)}`;

function said(networkId: string, phone: string, over: Partial<NetworkMessage> = {}): NetworkMessage {
  const chatId = phone.includes('@') ? phone : `${phone}@c.us`;
  return aNetworkMessage({ networkId, chatId, timestamp: Math.floor(Date.now() / 1_000), body: 'The words', ...over });
}
const stub = (networkId: string, phone: string, over: Partial<NetworkMessage> = {}) =>
  said(networkId, phone, { kind: 'other', body: '', content: { contentState: 'waiting' }, ...over });

const report = (message: NetworkMessage) =>
  database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: newId(), message }));

/** The chats of these people that the inbox lists, and how many contacts they are. */
async function chatsOf(...phones: string[]) {
  const addresses = phones.map((phone) => (phone.includes('@') ? phone : `${phone}@c.us`));
  const contacts = new Set(
    (await findRows(database, 'contactAlias', { chatId: addresses })).map(({ contactId }) => contactId),
  );
  const chats = await findRows(
    database,
    'conversation',
    { contactId: [...contacts], mergedInto: null },
    { id: 'id', chatId: 'chatId', unread: 'unreadCount', line: 'lastMessageBody' },
    'id',
  );
  return { people: contacts.size, chats };
}
const rowOf = (networkId: string) =>
  findRow(database, 'message', { networkId }, { conversation: 'conversationId', body: 'body', content: 'content' });
async function toldOf(networkId: string) {
  const { id: messageId } = await findRow(database, 'message', { networkId }, ['id']);
  return toldPayloads(database, { type: 'message' }, { messageId });
}

const SPELLINGS: [string, string, string][] = [
  ['Mexico, without 1', '525512350001', '5215512350001'],
  ['Mexico, with 1', '5215512350002', '525512350002'],
  ['Argentina, without 9', '541123460003', '5491123460003'],
  ['Argentina, with 9', '5491123460004', '541123460004'],
  ['Argentina, with 15', '54111523460005', '5491123460005'],
  ['Brazil, with 9', '5511987660006', '551187660006'],
  ['Brazil, without 9', '551187660007', '5511987660007'],
];

describe('a message that the network shows under two spellings of a number', () => {
  it.each(SPELLINGS)('shows one person in one chat, which its event names: %s', async (_what, first, second) => {
    const networkId = newId();
    await report(said(newId(), first, { body: 'I have written before' }));
    await report(stub(networkId, first));
    await report(said(networkId, second));
    const { people, chats } = await chatsOf(first, second);
    expect({ people, chats }).toMatchObject({ people: 1, chats: [{ unread: 2, line: 'The words' }] });
    const [chat] = chats;
    expect(await rowOf(networkId)).toEqual({ conversation: chat?.id, body: 'The words', content: {} });
    expect(await toldOf(networkId)).toMatchObject([
      { body: 'The words', chatId: chat?.chatId, conversationId: chat?.id },
    ]);
    // The next message stays with them, under whichever spelling it comes.
    for (const phone of [first, second]) await report(said(newId(), phone));
    expect(await chatsOf(first, second)).toMatchObject({ people: 1, chats: [{ id: chat?.id, unread: 4 }] });
  });

  it('makes one person of two who have both written', async () => {
    const [first, second, networkId] = ['541123460011', '5491123460011', newId()];
    await report(said(newId(), first));
    await report(said(newId(), second));
    expect(await chatsOf(first, second)).toMatchObject({ people: 2, chats: [{}, {}] });
    await report(stub(networkId, first));
    await report(said(networkId, second));
    const { people, chats } = await chatsOf(first, second);
    expect({ people, chats }).toMatchObject({ people: 1, chats: [{ unread: 3, line: 'The words' }] });
    expect(await toldOf(networkId)).toMatchObject([{ chatId: chats[0]?.chatId, conversationId: chats[0]?.id }]);
    expect(await findRows(database, 'contactMerge', { networkId }, ['cause', 'isUntold'])).toEqual([
      { cause: 'message', isUntold: false },
    ]);
  });

  it('does so also where the second report adds nothing, and where a hidden id names the other spelling', async () => {
    const [first, second, networkId] = ['541123460012', '5491123460012', newId()];
    await report(said(networkId, first));
    await report(said(networkId, second));
    expect(await chatsOf(first, second)).toMatchObject({ people: 1, chats: [{ unread: 1 }] });
    expect(await toldOf(networkId)).toHaveLength(1);

    const [phone, hidden, other] = ['541123460013', '880013@lid', newId()];
    await report(stub(other, phone));
    await report(said(other, hidden, { aliases: ['5491123460013@c.us'] }));
    expect(await chatsOf(phone, hidden, '5491123460013')).toMatchObject({ people: 1, chats: [{ unread: 1 }] });
  });

  it('does so where the owner wrote it on the phone, before and after it was adopted', async () => {
    const adopt = async () => {
      await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) });
      await database.transaction(adoptIn);
    };
    for (const [first, second, isAdopted] of [
      ['541123460014', '5491123460014', false],
      ['541123460015', '5491123460015', true],
    ] as const) {
      const networkId = newId();
      await report(said(newId(), first));
      await report(stub(networkId, first, { fromMe: true }));
      if (isAdopted) await adopt();
      await report(said(networkId, second, { fromMe: true, body: 'From my phone' }));
      if (!isAdopted) await adopt();
      expect(await chatsOf(first, second)).toMatchObject({ people: 1, chats: [{ line: 'From my phone' }] });
      expect(await rowOf(networkId)).toMatchObject({ body: 'From my phone' });
    }
  });

  it('does so where a list of chats or a read of the history shows it', async () => {
    const listed = { name: null, pictureUrl: null, unreadCount: null, lastAt: null };
    const [first, second, networkId] = ['541123460016', '5491123460016', newId()];
    await report(stub(networkId, first));
    const chatId = `${second}@c.us`;
    await database.transaction((tx) =>
      importChat(tx, session, { ...listed, chatId, lastMessage: said(networkId, second) }),
    );
    expect(await chatsOf(first, second)).toMatchObject({ people: 1, chats: [{}] });

    for (const [one, other, isStub] of [
      ['541123460017', '5491123460017', true],
      ['541123460018', '5491123460018', false],
    ] as const) {
      const id = newId();
      await report(isStub ? stub(id, one) : said(id, one));
      const chat = { ...listed, chatId: `${other}@c.us`, lastMessage: said(newId(), other) };
      await database.transaction(async (tx) => {
        const conversation = await importChat(tx, session, chat);
        if (conversation === null) throw new Error('The chat was not imported.');
        await importMessages(tx, session, conversation, { messages: [said(id, other)] });
      });
      const { people, chats } = await chatsOf(one, other);
      expect({ people, chats }).toMatchObject({ people: 1, chats: [{ line: 'The words', unread: 1 }] });
      expect(await rowOf(id)).toMatchObject({ body: 'The words', conversation: chats[0]?.id });
    }
  });

  it('leaves apart those whom an operator has taken apart, and stays in the chat of the first report', async () => {
    const [first, second, joined, late] = ['541123460019', '5491123460019', newId(), newId()];
    await report(said(newId(), first));
    await report(said(newId(), second));
    const { chats } = await chatsOf(first);
    await report(stub(late, first));
    await report(stub(joined, first));
    await report(said(joined, second));
    const merge = await findRow(database, 'contactMerge', { networkId: joined }, ['fromContactId']);
    await database.transaction((tx) => unmergeContact(tx, SCOPE.agencyId, String(merge.fromContactId)));
    await report(said(late, second));
    expect(await chatsOf(first, second)).toMatchObject({ people: 2, chats: [{}, {}] });
    expect(await rowOf(late)).toMatchObject({ body: 'The words', conversation: chats[0]?.id });
    expect(await toldOf(late)).toMatchObject([{ conversationId: chats[0]?.id, chatId: `${first}@c.us` }]);
  });

  it('makes nobody where the two numbers are no spellings of each other', async () => {
    const [first, second, networkId] = ['4915112350020', '4915112350021', newId()];
    await report(stub(networkId, first));
    await report(said(networkId, second));
    const { chats } = await chatsOf(first);
    expect(chats).toMatchObject([{ chatId: `${first}@c.us`, unread: 1, line: 'The words' }]);
    expect(await toldOf(networkId)).toMatchObject([{ conversationId: chats[0]?.id, chatId: `${first}@c.us` }]);
    expect(await chatsOf(second)).toEqual({ people: 0, chats: [] });
    expect(await findRows(database, 'conversation', { chatId: `${second}@c.us` })).toEqual([]);
  });
});
