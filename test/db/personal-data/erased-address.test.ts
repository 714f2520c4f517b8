import { afterEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { importChat, importMessages } from '../../../db/network/history.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import { erasedDigester, rememberErased } from '../../../db/personal-data/erased-address.ts';
import { resealPeppers } from '../../../db/personal-data/erased-pepper.ts';
import { readEngineStatus } from '../../../db/operations/engine-status.ts';
import { SecretBox } from '../../../db/engine/secret-box.ts';
import { ENCRYPTION_KEY } from '../../support/keys.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { addRow, countOf, countRows, databaseNow, deleteRows, findRows, not } from '../../support/rows.ts';
import { takeServers } from '../../support/servers.ts';
import { aWorkingSession, SCOPE } from '../a-database.ts';
import { databasesUnder } from '../databases-under.ts';

const NEW_KEY = 'another-encryption-key-0123456789-0123456789';
const THIRD_KEY = 'the-third-encryption-key-0123456789-01234567';
const { databaseUrl } = await takeServers();

const open = databasesUnder(databaseUrl, 'erased-address');

const first = await open(ENCRYPTION_KEY);
const sessionId = await aWorkingSession(first);
let people = 0;

/** Reads the history of a chat from before its erasure; answers how many messages that has written. */
async function read(database: Database, chatId: string): Promise<number> {
  const session = await database.read((queries) => findSessionById(queries, sessionId));
  if (!session) throw new Error('The session is not there.');
  people += 1;
  const timestamp = Math.floor(Date.now() / 1_000) - 3_600;
  const message = aNetworkMessage({ networkId: `OLD${people}`, chatId, timestamp, body: `old words ${people}` });
  const chat = { chatId, name: 'Erased', pictureUrl: null, unreadCount: 0, lastMessage: message, lastAt: timestamp };
  const conversation = await database.transaction((tx) => importChat(tx, session, chat));
  if (conversation) {
    await database.transaction(async (tx) => {
      const there = await ensureConversation(tx, { ...SCOPE, sessionId }, { chatId });
      await importMessages(tx, session, there, { messages: [message] });
    });
  }
  return countRows(database, 'message', { body: message.body });
}

describe('what keys the erased addresses of a tenant', () => {
  afterEach(async () => {
    await deleteRows(first, 'erasedPepper');
    await deleteRows(first, 'erasedAddress');
  });

  it('is made anew where no key opens it and nobody was erased, so that messages go on arriving', async () => {
    expect(await read(await open(ENCRYPTION_KEY), '15550177010@c.us')).toBe(1);
    const lost = await open(NEW_KEY);
    expect(await read(lost, '15550177011@c.us')).toBe(1);
    await lost.transaction((tx) => rememberErased(tx, { ...SCOPE, chatIds: ['15550177012@c.us'] }, new Date()));
    expect(await read(await open(NEW_KEY), '15550177012@c.us')).toBe(0);
    await expect(read(await open(ENCRYPTION_KEY), '15550177013@c.us')).rejects.toThrow(
      `of ${SCOPE.agencyId}/${SCOPE.tenantId} cannot be opened`,
    );
  });

  it.each([
    ['Mexico', '525512350701', '5215512350701'],
    ['Argentina', '5491123460702', '541123460702'],
    ['Brazil', '551187650703', '5511987650703'],
  ])('keeps out an erased person under the other spelling of the number: %s', async (_country, erased, shown) => {
    const database = await open(ENCRYPTION_KEY);
    const chatIds = [`${erased}@c.us`];
    await database.transaction((tx) => rememberErased(tx, { ...SCOPE, chatIds }, new Date()));
    expect(await read(database, `${shown}@c.us`)).toBe(0);
    expect(await read(database, `${shown.slice(0, -1)}9@c.us`)).toBe(1);
  });

  it('may be another tenant’s, too, who has come from an export, and each forgets whom it has erased itself', async () => {
    const database = await open(ENCRYPTION_KEY);
    const chatId = '15550177015@c.us';
    await database.transaction((tx) => rememberErased(tx, { ...SCOPE, chatIds: [chatId] }, new Date()));
    for (const erased of await findRows(first, 'erasedAddress', {}, ['digest', 'agencyId', 'erasedAt']))
      await addRow(first, 'erasedAddress', { ...erased, tenantId: 'another' });
    expect(await read(database, chatId)).toBe(0);
    await deleteRows(first, 'erasedAddress', { tenantId: not('another') });
    expect(await read(database, chatId)).toBe(1);
  });

  it('is not known from a transaction that was rolled back', async () => {
    const database = await open(ENCRYPTION_KEY);
    const undone = database.transaction(async (tx) => {
      for (let each = 0; each < 2; each += 1) await erasedDigester(tx, [SCOPE]);
      throw new Error('It is rolled back.');
    });
    await expect(undone).rejects.toThrow('It is rolled back.');
    await database.transaction((tx) => rememberErased(tx, { ...SCOPE, chatIds: ['15550177014@c.us'] }, new Date()));
    expect(await read(await open(ENCRYPTION_KEY), '15550177014@c.us')).toBe(0);
  });
});

describe('an erased address', () => {
  it('is known after each replacement of the encryption key, also by the digest of the previous release', async () => {
    const [chatId, former, stranger] = ['15550177001@c.us', '15550177002@c.us', '15550177003@c.us'];
    // The previous release made digests with the encryption key itself.
    const text = JSON.stringify(['erased', SCOPE.agencyId, SCOPE.tenantId, former]);
    const digest = new SecretBox(ENCRYPTION_KEY).digest(text);
    await addRow(first, 'erasedAddress', {
      digest,
      agencyId: SCOPE.agencyId,
      tenantId: SCOPE.tenantId,
      erasedAt: databaseNow,
    });
    await first.transaction((tx) => rememberErased(tx, { ...SCOPE, chatIds: [chatId] }, new Date()));
    const known = async (database: Database) => [await read(database, chatId), await read(database, former)];
    expect(await known(first)).toEqual([0, 0]);
    const both = await open(NEW_KEY, ENCRYPTION_KEY);
    expect(await known(both)).toEqual([0, 0]);
    await both.transaction((tx) => resealPeppers(tx, null, 10));
    expect(await known(await open(NEW_KEY))).toEqual([0, 0]);
    const third = await open(THIRD_KEY, NEW_KEY);
    await third.transaction((tx) => resealPeppers(tx, null, 10));
    expect(await known(await open(THIRD_KEY))).toEqual([0, 0]);
    expect(await read(await open(THIRD_KEY), stranger)).toBe(1);
  });

  it('is told by nothing of the database alone', async () => {
    const digests = await findRows(first, 'erasedAddress', {}, ['digest']);
    const plain = createHmac('sha256', '')
      .update(JSON.stringify(['erased', '15550177001@c.us']))
      .digest();
    expect(digests.some(({ digest }) => digest.equals(plain))).toBe(false);
    expect(await countOf(first, sql`erased_pepper where position('own' in encode(sealed, 'escape')) > 0`)).toBe(0);
  });

  it('keeps what it would bring back waiting while no key opens the record', async () => {
    const current = 'a-key-that-has-sealed-nothing-0123456789-0123';
    const lost = await open(current);
    await expect(read(lost, '15550177001@c.us')).rejects.toThrow('put the former ENGINE_ENCRYPTION_KEY back');
    const named = async (keys: { current: string; previous?: string }) =>
      (await readEngineStatus(databaseUrl, { previous: undefined, ...keys })).unreadablePeppers;
    expect(await named({ current })).toEqual([`${SCOPE.agencyId}/${SCOPE.tenantId}`]);
    expect(await named({ current, previous: THIRD_KEY })).toEqual([]);
  });
});
