import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { keepMemory } from '../../../db/agent/memory.ts';
import { addNote } from '../../../db/conversations/team/notes.ts';
import { countRetention, sweepRetention } from '../../../db/personal-data/retention.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { addMessages, ago, changeRows, countOf, countRows, findRows } from '../../support/rows.ts';
import { anAgent } from '../agent/a-turn.ts';
import { SCOPE } from '../a-database.ts';
import { aPerson } from '../conversations/a-person.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const { send, contactOf } = aPerson(database, sessionId);
const LIMIT = 10;

const keep = (change: { messageRetentionDays?: number | null; memoryRetentionDays?: number | null }) =>
  database.transaction((tx) => updateSettings(tx, SCOPE, change));
const count = (days: { messageDays: number | null; memoryDays: number | null }) =>
  database.read((queries) => countRetention(queries, SCOPE, days));
const due = () => changeRows(database, 'retentionSweep', { endedAt: null, afterId: '' });

/** The clean-up calls it until there is less than it may delete; answers how many transactions that took. */
async function sweep(): Promise<number> {
  for (let rounds = 1; ; rounds += 1)
    if ((await database.transaction((tx) => sweepRetention(tx, LIMIT))) < LIMIT) return rounds;
}

let people = 0;
/** A conversation with messages of so many days ago, that the last of them is about to be sent again or not. */
async function aTalk(...daysAgo: number[]): Promise<string> {
  people += 1;
  const chatId = `1555${9_100_000 + people}@c.us`;
  const { messageId, conversationId } = await send(chatId, 'now');
  await changeRows(database, 'message', { status: 'read' }, { id: messageId });
  await addMessages(database, conversationId, daysAgo.length, (n) => ({
    id: `msg_${conversationId}${n}`,
    contactId: null,
    body: 'old words',
    occurredAt: ago({ days: daysAgo[n - 1] ?? 0 }),
  }));
  return conversationId;
}
const messagesIn = (conversationId: string) => countRows(database, 'message', { conversationId });

describe('what a tenant keeps for some days', () => {
  beforeEach(async () => {
    await agent.startOver();
    await keep({ messageRetentionDays: null, memoryRetentionDays: null });
    await due();
  });

  it('is deleted when it is older, in short transactions, as the dry run has counted it', async () => {
    const old = await aTalk(...Array.from({ length: 25 }, (_, n) => 40 + n), 5);
    const young = await aTalk(5, 10);
    // The message of five days ago, and nine of those that go.
    await changeRows(database, 'conversation', { unreadCount: 10 }, { id: old });
    const expected = await count({ messageDays: 30, memoryDays: null });
    expect(expected.messages).toBe(25);
    await keep({ messageRetentionDays: 30 });
    expect(await sweep()).toBe(3);
    expect([await messagesIn(old), await messagesIn(young)]).toEqual([2, 3]);
    expect(await countRows(database, 'conversation', { id: old, unreadCount: 1 })).toBe(1);
    expect((await count({ messageDays: 30, memoryDays: null })).messages).toBe(0);
    expect(
      await countOf(database, sql`message_text t where not exists (select from message m where m.id = t.message_id)`),
    ).toBe(0);
  });

  it('stays where no time is set, and while it is about to be sent', async () => {
    const talk = await aTalk(400);
    await sweep();
    expect(await messagesIn(talk)).toBe(2);
    await keep({ messageRetentionDays: 30 });
    await due();
    await changeRows(database, 'message', { status: 'queued' }, { conversationId: talk });
    await sweep();
    expect(await messagesIn(talk)).toBe(2);
  });

  it('is looked at once a day, and the look goes on where a process stopped', async () => {
    const talk = await aTalk(...Array.from({ length: 15 }, () => 50));
    await keep({ messageRetentionDays: 30 });
    await database.transaction((tx) => sweepRetention(tx, LIMIT));
    expect(await messagesIn(talk)).toBe(6);
    await sweep();
    expect(await messagesIn(talk)).toBe(1);
    const late = await aTalk(60);
    await sweep();
    expect(await messagesIn(late)).toBe(2);
    await due();
    await sweep();
    expect(await messagesIn(late)).toBe(1);
  });

  it('are facts, too, which outlive the message that they rest on when only messages go', async () => {
    const talk = await aTalk(50);
    const [row] = await findRows(database, 'conversation', { id: talk }, ['chatId']);
    const owner = { ...SCOPE, contactId: await contactOf(row?.chatId ?? '') };
    const fact = { fact: 'Sails', category: 'x', source: 'me', evidenceMessageId: `msg_${talk}1` };
    const rest = { turnId: null, confidence: null, expiresAt: null, supersedes: null };
    const { id } = await database.transaction((tx) => keepMemory(tx, owner, { ...fact, ...rest }));
    await keep({ messageRetentionDays: 30 });
    await sweep();
    const left = () => countRows(database, 'memory', { id, evidenceMessageId: null });
    expect(await left()).toBe(1);
    await changeRows(database, 'memory', { createdAt: ago({ days: 90 }) }, { id });
    expect((await count({ messageDays: null, memoryDays: 60 })).memories).toBe(1);
    await keep({ memoryRetentionDays: 60 });
    await due();
    await sweep();
    expect(await left()).toBe(0);
  });

  it('has the notes of the team counted and deleted with the facts, by their last change', async () => {
    const phone = agent.person();
    await send(phone, 'Hello');
    const contactId = await contactOf(phone);
    const add = (text: string) => database.transaction((tx) => addNote(tx, SCOPE, { contactId, text, author: null }));
    const [old, young] = [await add('old'), await add('young')];
    await changeRows(database, 'note', { createdAt: ago({ days: 90 }) }, { contactId });
    await changeRows(database, 'note', { updatedAt: ago({ days: 90 }) }, { id: old.id });
    expect((await count({ messageDays: null, memoryDays: 60 })).notes).toBe(1);
    await keep({ memoryRetentionDays: 60 });
    await sweep();
    expect(await findRows(database, 'note', { contactId }, ['id'])).toEqual([{ id: young.id }]);
  });
});
