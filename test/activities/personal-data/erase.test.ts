import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createErasureActivities } from '../../../activities/personal-data/erase.ts';
import type { ErasureRound } from '../../../activities/personal-data/erase.ts';
import { importChat, importMessages } from '../../../db/network/history.ts';
import { receiveBackendEvents } from '../../../db/network/receive.ts';
import { holdFile, holdUpload, takeUnusedFiles } from '../../../db/media/keys.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { beginErasure, findErasure } from '../../../db/personal-data/erasure.ts';
import { beginExport } from '../../../db/personal-data/export/export.ts';
import { forgetExports } from '../../../db/personal-data/export/parts.ts';
import { eraseMessages } from '../../../db/personal-data/erase-person.ts';
import { lockErasure } from '../../../db/personal-data/erasure.ts';
import { anAgent } from '../../db/agent/a-turn.ts';
import { SCOPE } from '../../db/a-database.ts';
import { aPerson } from '../../db/conversations/a-person.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { eventually } from '../../support/eventually.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import {
  addMessage,
  addMessages,
  addRow,
  ago,
  changeRows,
  countOf,
  countRows,
  databaseNow,
  findRows,
  json,
  not,
} from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

const { database, sessionId, session } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const person = aPerson(database, sessionId);

const deleted: string[] = [];
const { eraseOn } = createErasureActivities({
  database,
  media: { store: { delete: async (key) => void deleted.push(key) } },
  stopping: new AbortController().signal,
});

const begin = async (contactId: string): Promise<string> => {
  const begun = await database.transaction((tx) => beginErasure(tx, SCOPE.agencyId, { contactId, keyId: 'key' }));
  if (!begun) throw new Error('There is no such contact.');
  return begun.erasure.id;
};
/** Transactions of other tests' databases end soon, and what was just said is old in a moment. */
async function goOn(erasureId: string): Promise<ErasureRound> {
  for (;;) {
    const round = await inActivity(eraseOn, { erasureId });
    if (round.waitsFor === 'just_said') database.clock.advance(3_000);
    else if (round.waitsFor !== 'transaction_under_way') return round;
  }
}
const messagesOf = (conversationId: string) => countRows(database, 'message', { conversationId });

describe('eraseOn: a person', () => {
  it('who was merged from two contacts is erased with both, and the ledger forgets them', async () => {
    const people = await person.twoPeople(agent);
    await person.join(people);
    const { counts, step } = await goOn(await begin(people.from));
    expect(step).toBe('done');
    expect(counts).toMatchObject({ contact: 2, contact_alias: 2, conversation: 2, contact_merge: 1 });
    for (const table of ['contact', 'contact_alias', 'contact_merge', 'merge_move'])
      expect(await countOf(database, sql`${sql.table(table)} t where t::text like ${`%${people.phone}%`}`)).toBe(0);
  });

  it('who was merged with another and taken apart goes alone', async () => {
    const people = await person.twoPeople(agent);
    await person.join(people);
    await person.unmerge(people.from);
    const kept = await messagesOf(people.a);
    expect(await goOn(await begin(people.from))).toMatchObject({
      step: 'done',
      counts: { contact: 1, conversation: 1 },
    });
    expect(await messagesOf(people.a)).toBe(kept);
    expect(await person.contactOf(people.phone)).toBe(people.into);
  });

  it('is erased although an erasure goes on of another contact, with whom they were merged when it began', async () => {
    const people = await person.twoPeople(agent);
    await person.join(people);
    const first = await begin(people.from);
    await person.unmerge(people.from);
    expect(await begin(people.from)).toBe(first);
    const second = await begin(people.into);
    expect(second).not.toBe(first);
    for (const erasureId of [first, second]) expect(await goOn(erasureId)).toMatchObject({ step: 'done' });
    expect(await countRows(database, 'contact', { id: [people.from, people.into] })).toBe(0);
  });

  it('is waited with while a message to them is being sent, and while news of them are not applied', async () => {
    const { messageId, conversationId } = await person.send('15550178801@c.us', 'on its way');
    await changeRows(database, 'message', { status: 'sending', claimedAt: databaseNow }, { id: messageId });
    const erasureId = await begin(await person.contactOf('15550178801@c.us'));
    expect(await goOn(erasureId)).toMatchObject({ step: 'person', waitsFor: 'send_under_way' });
    await changeRows(database, 'message', { status: 'sent' }, { id: messageId });
    const body = JSON.stringify({ event: 'message', payload: { from: '15550178801@c.us' } });
    const news = { sessionName: session.name, requestId: 'unapplied', body };
    await database.transaction((tx) => receiveBackendEvents(tx, [news]));
    expect(await goOn(erasureId)).toMatchObject({ step: 'person', waitsFor: 'event_unapplied' });
    await changeRows(database, 'backendEvent', { appliedAt: databaseNow }, { requestKey: 'unapplied' });
    expect(await goOn(erasureId)).toMatchObject({ step: 'done', counts: { backend_event: 1, message: 1 } });
    expect(await messagesOf(conversationId)).toBe(0);
  });

  it('is erased once by two workers, and by one that takes over in the middle', async () => {
    const { conversationId } = await person.send('15550178802@c.us', 'first of many');
    await addMessages(database, conversationId, 1_200, (n) => ({
      id: `msg_many${n}`,
      contactId: null,
      kind: 'image',
      occurredAt: ago({ seconds: n }),
      media: json({ stored: { key: `a1/${n}` } }),
    }));
    database.clock.advance(3_000);
    const erasureId = await begin(await person.contactOf('15550178802@c.us'));
    await database.transaction(async (tx) => {
      const erasure = await lockErasure(tx, erasureId);
      if (erasure) await eraseMessages(tx, erasure);
    });
    expect(await messagesOf(conversationId)).toBe(701);
    const rounds = await Promise.all([goOn(erasureId), goOn(erasureId)]);
    expect(rounds.map(({ step }) => step)).toEqual(['done', 'done']);
    const erasure = await database.read((queries) => findErasure(queries, erasureId));
    expect(erasure).toMatchObject({ report: { message: 1201, files: 1200, contact: 1 }, subject: null });
    // Each with its thumbnail.
    expect(new Set(deleted).size).toBe(2400);
  });

  it('loses their own file at once, and leaves an equal one that somebody has uploaded and not sent yet', async () => {
    const { conversationId } = await person.send('15550178871@c.us', 'a file');
    const keys = { own: 'a1/own-file', uploaded: 'a1/uploaded-file' };
    for (const key of Object.values(keys))
      await addMessage(database, conversationId, {
        id: `msg_${key}`,
        contactId: null,
        kind: 'image',
        occurredAt: ago({ minutes: 1 }),
        media: json({ stored: { key } }),
      });
    // The fetch of the person's own file holds it, too.
    await database.transaction((tx) => holdFile(tx, keys.own));
    await database.transaction((tx) => holdUpload(tx, keys.uploaded, 90_000));
    database.clock.advance(3_000);
    expect(await goOn(await begin(await person.contactOf('15550178871@c.us')))).toMatchObject({ step: 'done' });
    expect(deleted).toContain(keys.own);
    expect(deleted).not.toContain(keys.uploaded);
    // It goes by the clean-up once nobody may name it any more.
    await changeRows(
      database,
      'mediaKey',
      { heldUntil: databaseNow, uploadedUntil: databaseNow },
      { key: keys.uploaded },
    );
    expect(await database.transaction((tx) => takeUnusedFiles(tx, 10))).toContain(keys.uploaded);
  });

  it('is not brought back by a reading of the past that goes on meanwhile, alone or in a group', async () => {
    const [group, who] = ['120363017700000010@g.us', '15550178807@c.us'];
    await person.send(who, 'alone');
    const contactId = await person.contactOf(who);
    const { id, chatId } = await database.transaction((tx) =>
      ensureConversation(tx, { ...SCOPE, sessionId }, { chatId: group }),
    );
    const timestamp = Math.floor(Date.now() / 1_000) - 60;
    const said = aNetworkMessage({ networkId: 'READ1', chatId: group, participant: who, timestamp });
    const written = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const reading = database.transaction(async (tx) => {
      await importMessages(tx, session, { id, chatId, contactId: null }, { messages: [said] });
      written.resolve();
      await commit.promise;
    });
    await written.promise;
    const erasureId = await begin(contactId);
    const erasing = goOn(erasureId);
    // The erasure waits for the reading, or has passed it by.
    await eventually(async () => {
      const waits = await countOf(
        database,
        sql`pg_stat_activity where wait_event = 'transactionid'
        and query like '%is_group(chat_id)%' and datname = current_database()`,
      );
      return waits > 0 || (await countRows(database, 'erasure', { id: erasureId, erasedAt: not(null) })) > 0;
    });
    commit.resolve();
    await Promise.all([reading, erasing]);
    expect(await messagesOf(id)).toBe(0);
    const chat = {
      chatId: who,
      name: 'Zoe',
      pictureUrl: null,
      unreadCount: null,
      lastMessage: said,
      lastAt: timestamp,
    };
    expect(await database.transaction((tx) => importChat(tx, session, chat))).toBeNull();
    expect(await countRows(database, 'contactAlias', { chatId: who })).toBe(0);
  });

  it('is waited with until what was just said is clearly of before, and the history does not bring it back', async () => {
    const who = '15550178808@c.us';
    const { messageId } = await person.send(who, 'of this second');
    await changeRows(database, 'message', { status: 'sent', sentAt: database.clock.now() }, { id: messageId });
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
    const erasureId = await begin(await person.contactOf(who));
    expect(await inActivity(eraseOn, { erasureId })).toMatchObject({ step: 'messages', waitsFor: 'just_said' });
    database.clock.advance(3_000);
    expect(await goOn(erasureId)).toMatchObject({ step: 'done', counts: { message: 1 } });
    const told = aNetworkMessage({ networkId: 'TOLD1', chatId: who, timestamp, fromMe: true });
    const chat = { chatId: who, name: null, pictureUrl: null, unreadCount: null, lastMessage: told, lastAt: timestamp };
    expect(await database.transaction((tx) => importChat(tx, session, chat))).toBeNull();
  });

  it('who goes on writing is erased all the same, a minute after it was asked for', async () => {
    const who = '15550178809@c.us';
    const erasureId = await (async () => {
      await person.send(who, 'first');
      return begin(await person.contactOf(who));
    })();
    database.clock.advance(61_000);
    const { messageId } = await person.send(who, 'and again');
    await changeRows(database, 'message', { status: 'sent', sentAt: database.clock.now() }, { id: messageId });
    expect(await goOn(erasureId)).toMatchObject({ step: 'done' });
  });

  it('leaves a group the line and the count of what the others have said, and no words that were taken back', async () => {
    const [group, who] = ['120363017700000009@g.us', '15550178805@c.us'];
    await person.send(who, 'alone');
    const { id } = await database.transaction((tx) =>
      ensureConversation(tx, { ...SCOPE, sessionId }, { chatId: group }),
    );
    await addMessages(database, id, 3, (n) => ({
      id: `msg_group${n}`,
      contactId: null,
      body: `words ${n}`,
      participant: n === 3 ? who : '15550178806@c.us',
      occurredAt: ago({ minutes: 4 - n }),
      revokedAt: n === 2 ? databaseNow : null,
    }));
    await changeRows(
      database,
      'conversation',
      { unreadCount: 2, lastMessageId: 'msg_group3', lastMessageBody: 'words 3', lastMessageAt: ago({ minutes: 1 }) },
      { id },
    );
    expect(await goOn(await begin(await person.contactOf(who)))).toMatchObject({ step: 'done' });
    expect(
      await findRows(
        database,
        'conversation',
        { id },
        { last: 'lastMessageId', line: 'lastMessageBody', unread: 'unreadCount' },
      ),
    ).toEqual([{ last: 'msg_group2', line: '', unread: 1 }]);
  });

  it('takes a file along only when no other message has the same bytes', async () => {
    const theirs = await person.send('15550178803@c.us', 'theirs');
    const others = await person.send('15550178804@c.us', 'others');
    const ids = [theirs.messageId, others.messageId];
    await changeRows(database, 'message', { media: json({ stored: { key: 'a1/same' } }), status: 'sent' }, { id: ids });
    const { counts } = await goOn(await begin(await person.contactOf('15550178803@c.us')));
    expect(counts['files']).toBeUndefined();
    expect(deleted).not.toContain('a1/same');
  });

  it('takes back what the tenant has exported, and its rows go from the store', async () => {
    const { messageId } = await person.send('15550178805@c.us', 'in an export');
    await changeRows(database, 'message', { status: 'sent' }, { id: messageId });
    const begun = await database.transaction((tx) => beginExport(tx, SCOPE, 'key'));
    const id = begun?.found.id ?? '';
    await addRow(
      database,
      'tenantExportPart',
      {
        exportId: id,
        number: 0,
        name: 'rows/00000000-message.ndjson',
        key: 'a1/rows',
        sha256: 'x',
        sizeBytes: 1,
        position: 0,
      },
      { exportId: id, number: 1, name: 'files/x', key: 'a1/other', sha256: 'x', sizeBytes: 1, position: 1024 },
    );
    await goOn(await begin(await person.contactOf('15550178805@c.us')));
    expect(await countRows(database, 'tenantExport', { goneReason: 'erased', cursor: null })).toBe(1);
    expect(deleted).toContain('a1/rows');
    expect(deleted).not.toContain('a1/other');
    await database.transaction((tx) => forgetExports(tx, 10));
    expect(await countRows(database, 'tenantExportPart')).toBe(0);
    expect(await countRows(database, 'mediaLetGo', { key: 'a1/other' })).toBe(1);
  });
});
