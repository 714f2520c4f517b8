import { describe, expect, it } from '@jest/globals';
import { applyNetworkEvents } from '../../../db/network/ingest.ts';
import { compareChats } from '../../../db/network/sync/chats.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, findRows, like, toldPayloads } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { roundTripsOf } from '../round-trips.ts';

const { database, session } = await databaseOfThisFile();

let messages = 0;
const said = (chatId: string, pushName: string | null): NetworkEvent => {
  messages += 1;
  const networkId = `3ANAME${String(messages).padStart(12, '0')}`;
  const timestamp = 1_772_000_000 + messages;
  const message = aNetworkMessage({ networkId, chatId, timestamp, pushName });
  return { kind: 'message', key: networkId, message };
};
const apply = (...events: NetworkEvent[]): Promise<number> =>
  roundTripsOf(database, (tx) =>
    applyNetworkEvents(
      tx,
      events.map((event) => ({ session, event, receivedAt: null })),
    ),
  );

async function toldOf(chatId: string) {
  const [contact] = await findRows(database, 'contact', { chatId }, ['id']);
  return toldPayloads(database, { type: 'contact.updated', body: like(`%${contact?.id}%`) });
}

describe('the name that a person gives themselves', () => {
  it('is told as contact.updated when it has changed, and not again while it stays', async () => {
    const chatId = '15556660001@c.us';
    await apply(said(chatId, 'Alex'));
    // The event of the first message itself reports the new contact.
    expect(await toldOf(chatId)).toEqual([]);
    await apply(said(chatId, 'Alex'), said(chatId, null));
    expect(await toldOf(chatId)).toEqual([]);
    await apply(said(chatId, 'Alexa'));
    await apply(said(chatId, 'Alexa'));
    expect(await toldOf(chatId)).toMatchObject([
      { chatId, phone: '15556660001', pushName: 'Alexa', changed: ['pushName'], sessionId: session.id },
    ]);
  });

  it('is told to be new of a person who was known without a name', async () => {
    const chatId = '15556660002@c.us';
    await apply(said(chatId, null));
    await apply(said(chatId, 'Bo'));
    expect(await toldOf(chatId)).toMatchObject([{ pushName: 'Bo', changed: ['pushName'] }]);
  });

  it('costs no statement while it stays, and one for all whose names have changed', async () => {
    const people = Array.from({ length: 5 }, (_, n) => `1555666010${n}@c.us`);
    const write = (name: string | null) => apply(...people.map((chatId) => said(chatId, name)));
    await write('Before');
    const without = await write(null);
    expect(await write('Before')).toBe(without);
    expect(await write('After')).toBe(without + 1);
  });
});

describe('the name of a group', () => {
  it('differs from the list while the group has begun with a live message, and is the same once it is stored', async () => {
    const chatId = '120363000000000777@g.us';
    await apply(said(chatId, 'Ann'));
    const listed = { chatId, name: 'Team', pictureUrl: null, unreadCount: null, lastMessage: null, lastAt: null };
    const isSame = async (name: string | null) => {
      const [chat] = await database.read((queries) => compareChats(queries, session, [{ ...listed, name }]));
      return chat?.isSame;
    };
    expect([await isSame('Team'), await isSame(null)]).toEqual([false, true]);
    await changeRows(database, 'conversation', { name: 'Team' }, { chatId });
    expect([await isSame('Team'), await isSame(null), await isSame('Sales')]).toEqual([true, true, false]);
  });
});
