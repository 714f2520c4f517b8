import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { importChat } from '../../../db/network/history.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, earlier, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { adoptIn } from './adopt.ts';
import { applyNetworkEvent } from './apply-event.ts';

const { database, session } = await databaseOfThisFile();
let ids = 0;

async function weWrite(phone: string): Promise<string> {
  const accepted = await database.statement((tx) =>
    acceptSend(
      tx,
      { ...SCOPE, sessionId: session.id },
      {
        recipient: { chatId: `${phone}@c.us` },
        parts: [{ kind: 'text', body: 'Hello' }],
        origin: 'api',
        expires: { afterMs: 60_000 },
      },
    ),
  );
  if (accepted.outcome !== 'accepted') throw new Error('The send was not accepted.');
  return accepted.conversationId;
}

async function shows(chatId: string, over: Partial<NetworkMessage> = {}): Promise<void> {
  const networkId = `SPELL${(ids += 1)}`;
  const timestamp = Math.floor(Date.now() / 1_000);
  const message = aNetworkMessage({ networkId, chatId, timestamp, body: 'Hi', ...over });
  await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message }));
}

/** The chats of these addresses: each with its address, its contact's, and how many messages it has. */
async function chatsOf(...phones: string[]) {
  const addresses = phones.map((phone) => (phone.includes('@') ? phone : `${phone}@c.us`));
  const found = await rowsOf(
    database,
    sql<{ chat: string; contact: string; count: number; aliases: number }>`
      select c.chat_id as chat, k.chat_id as contact,
        (select count(*)::int from message m where m.conversation_id = c.id) as count,
        (select count(*)::int from contact_alias a where a.contact_id = k.id) as aliases
      from conversation c join contact k on k.id = c.contact_id
      where c.merged_into is null and exists (select 1 from contact_alias a
        where a.contact_id = k.id and a.chat_id = any(${addresses}::text[])) order by c.chat_id`,
  );
  return found.map(({ chat, contact, count, aliases }) => [chat, contact, count, aliases]);
}

const SPELLINGS: [string, string, string][] = [
  ['Mexico, without 1', '525512340001', '5215512340001'],
  ['Mexico, with 1', '5215512340002', '525512340002'],
  ['Argentina, without 9', '541123450003', '5491123450003'],
  ['Argentina, with 9', '5491123450004', '541123450004'],
  ['Argentina, with 15', '54111523450005', '5491123450005'],
  ['Brazil, with 9', '5511987650006', '551187650006'],
  ['Brazil, without 9', '551187650007', '5511987650007'],
];

describe('a contact whom we only wrote to, and who writes under the other spelling of the number', () => {
  it.each(SPELLINGS)('is one person in one conversation: %s', async (_what, ours, theirs) => {
    await weWrite(ours);
    await shows(`${theirs}@c.us`);
    expect(await chatsOf(ours, theirs)).toEqual([[`${theirs}@c.us`, `${theirs}@c.us`, 2, 2]]);
    await shows(`${theirs}@c.us`);
    await shows(`${ours}@c.us`);
    expect(await chatsOf(ours, theirs)).toMatchObject([[`${theirs}@c.us`, `${theirs}@c.us`, 4, 2]]);
  });

  it('is so under a hidden id that names the phone, also where the hidden id was known', async () => {
    await weWrite('525512340011');
    await shows('880001@lid', { aliases: ['5215512340011@c.us'] });
    expect(await chatsOf('525512340011')).toMatchObject([[expect.any(String), '5215512340011@c.us', 2, 3]]);

    await weWrite('525512340012');
    await shows('880002@lid');
    await shows('880002@lid', { aliases: ['5215512340012@c.us'] });
    expect(await chatsOf('525512340012', '880002@lid')).toMatchObject([
      [expect.any(String), '5215512340012@c.us', 3, 3],
    ]);
  });

  it('is so where a chat, or what the owner writes on the phone, shows the spelling first', async () => {
    const listed = { name: null, pictureUrl: null, unreadCount: null, lastMessage: null, lastAt: null };
    await weWrite('525512340013');
    await database.transaction((tx) => importChat(tx, session, { ...listed, chatId: '5215512340013@c.us' }));
    await shows('5215512340013@c.us');
    expect(await chatsOf('525512340013', '5215512340013')).toMatchObject([
      [expect.any(String), expect.any(String), 2, 2],
    ]);

    await weWrite('525512340014');
    await shows('5215512340014@c.us', { fromMe: true, body: 'From my phone' });
    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) });
    await database.transaction(adoptIn);
    expect(await chatsOf('525512340014', '5215512340014')).toMatchObject([
      [expect.any(String), expect.any(String), 2, 2],
    ]);
  });

  it('stays another person where several fit, and in other countries', async () => {
    await weWrite('541123450022');
    await weWrite('54111523450022');
    await shows('5491123450022@c.us');
    expect(await chatsOf('541123450022', '54111523450022', '5491123450022')).toHaveLength(3);

    await weWrite('4915112340023');
    await shows('49115112340023@c.us');
    expect(await chatsOf('4915112340023', '49115112340023')).toHaveLength(2);
  });
});

describe('a contact who has written under one spelling of the number, and then under the other', () => {
  it.each(SPELLINGS.filter(([what]) => !what.startsWith('Argentina')))(
    'is one person in one conversation: %s',
    async (_what, one, other) => {
      const [first, second] = [one.replace(/0(.)$/, '3$1'), other.replace(/0(.)$/, '3$1')];
      await shows(`${first}@c.us`);
      await shows(`${second}@c.us`);
      expect(await chatsOf(first, second)).toEqual([[`${second}@c.us`, `${second}@c.us`, 2, 2]]);
      await shows(`${first}@c.us`);
      expect(await chatsOf(first, second)).toMatchObject([[`${second}@c.us`, `${second}@c.us`, 3, 2]]);
    },
  );

  it('goes on having the address that they wrote under, where a list or the own phone shows the other', async () => {
    const listed = { name: null, pictureUrl: null, unreadCount: null, lastMessage: null, lastAt: null };
    await shows('551187650041@c.us');
    await database.transaction((tx) => importChat(tx, session, { ...listed, chatId: '5511987650041@c.us' }));
    await shows('5511987650041@c.us', { fromMe: true, body: 'From my phone' });
    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) });
    await database.transaction(adoptIn);
    expect(await chatsOf('551187650041', '5511987650041')).toEqual([['551187650041@c.us', '551187650041@c.us', 2, 2]]);
  });

  it('is another person in Argentina, where a fixed line may have the number without its 9', async () => {
    await shows('541123450031@c.us');
    await shows('5491123450031@c.us');
    expect(await chatsOf('541123450031', '5491123450031')).toHaveLength(2);
  });
});
