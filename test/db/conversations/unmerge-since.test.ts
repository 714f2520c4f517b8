import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { queueScheduled } from '../../../db/sending/scheduled.ts';
import { addRow, ago, changeRows, countRows, databaseNow, deleteRows, findRows, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { anAgent } from '../agent/a-turn.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aPerson } from './a-person.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const { send, contactOf, rowsAbout, stateOf, goesOut, unmerge, join, twoPeople: two } = aPerson(database, sessionId);
const twoPeople = () => two(agent);

describe('what came since a merge that is undone', () => {
  beforeEach(() => agent.startOver());

  it('gives a conversation back that the other contact had got, and theirs a conversation of its own', async () => {
    const phone = agent.person();
    const hidden = phone.replace('@c.us', '@lid');
    const b = await agent.write(hidden, 'Is it still there?');
    const from = await contactOf(hidden);
    await knownElsewhere(phone);
    await join({ phone, hidden });
    expect(await agent.write(phone, 'under the phone')).toBe(b);
    await deleteRows(database, 'dispatch');
    await unmerge(from);
    const there = await rowsOf(
      database,
      sql<{ id: string; contact: string; chatId: string; body: string }>`
        select c.id, c.contact_id as contact, c.chat_id as "chatId", m.body from conversation c
        join message m on m.conversation_id = c.id and m.contact_id = c.contact_id
        where c.chat_id in (${phone}, ${hidden}) order by m.body`,
    );
    expect(there).toEqual([
      { id: b, contact: from, chatId: hidden, body: 'Is it still there?' },
      { id: expect.stringMatching(/^cnv_/), contact: `con_${phone}`, chatId: phone, body: 'under the phone' },
    ]);
    // The agent looks at once at what it owes in both.
    for (const { id } of there) expect(await countRows(database, 'dispatch', { workflowId: `ai/${id}` })).toBe(1);
  });

  it('cancels what the agent wrote in a conversation that is given back, because it may answer the other person', async () => {
    const phone = agent.person();
    const hidden = phone.replace('@c.us', '@lid');
    const b = await agent.write(hidden, 'Is it still there?');
    const from = await contactOf(hidden);
    await knownElsewhere(phone);
    await join({ phone, hidden });
    await agent.write(phone, 'What did I order?');
    agent.script({ outcome: 'reply', text: 'A blue one.' });
    await agent.settle(b);
    await unmerge(from);
    expect(await agent.claimIn(b)).toBe('refused');
  });

  it('writes to the former number again, where the network had named the number of somebody else', async () => {
    const [former, named] = [agent.person(), agent.person()];
    const hidden = former.replace('@c.us', '@lid');
    const { conversationId: a } = await send(former, 'Our offer');
    expect(await agent.write(hidden, 'Yes?', { aliases: [former] })).toBe(a);
    await knownElsewhere(named);
    await agent.write(hidden, 'I have a new number', { aliases: [named] });
    expect(await agent.write(named, 'Who is this?')).toBe(a);
    expect(await stateOf(a)).toMatchObject({ chatId: named });
    await unmerge(`con_${named}`);
    expect(await stateOf(a)).toMatchObject({ chatId: former, lastBody: 'I have a new number' });
    const theirs = await agent.write(named, 'Hello?');
    expect(theirs).not.toBe(a);
    expect(await countRows(database, 'message', { conversationId: theirs, body: 'Who is this?' })).toBe(1);
  });

  it('shows no words of a last message that was taken back since, and knows what each has read', async () => {
    const people = await twoPeople();
    const read = await agent.write(people.phone, 'of the phone', { networkId: `READ${people.a}` });
    await agent.write(people.hidden, 'taken back', { networkId: `TAKEN${people.b}` });
    await changeRows(database, 'conversation', { readUpTo: databaseNow }, { id: people.b });
    await join(people);
    expect(await agent.write(people.phone, 'late', { timestamp: 1_700_000_000 })).toBe(read);
    expect(await stateOf(people.a)).toMatchObject({ unread: 3 });
    await agent.revoke(`TAKEN${people.b}`);
    await unmerge(people.from);
    expect(await stateOf(people.b)).toMatchObject({ lastBody: '' });
    expect(await countRows(database, 'conversation', { id: people.a, readUpTo: null })).toBe(1);
  });

  it('shows in the chat list what each conversation has now, also where a message has changed or gone out since', async () => {
    const people = await twoPeople();
    await join(people);
    await changeRows(database, 'message', { body: 'And in red' }, { conversationId: people.a, body: 'And in blue' });
    await unmerge(people.from);
    expect(await stateOf(people.b)).toMatchObject({ lastBody: 'And in red' });

    const others = await twoPeople();
    await join(others);
    for (const body of ['Yes', 'And in blue']) {
      const [waiting] = await findRows(database, 'message', { conversationId: others.a, body }, ['id']);
      await goesOut(waiting?.id ?? '', others.a);
    }
    await unmerge(others.from);
    expect(await stateOf(others.b)).toMatchObject({ lastBody: 'Is it still there?' });
    expect(await stateOf(others.a)).toMatchObject({ lastBody: 'And in blue' });
  });

  it('keeps the order of a queue in which a scheduled message became due while they were one', async () => {
    const people = await twoPeople();
    await join(people);
    await changeRows(
      database,
      'message',
      { scheduledAt: ago({ minutes: 1 }) },
      { conversationId: people.a, status: 'scheduled' },
    );
    while ((await database.transaction((tx) => queueScheduled(tx))).isBusy);
    await unmerge(people.from);
    await send(people.hidden, 'The day after');
    const queue = await findRows(
      database,
      'message',
      { conversationId: people.b, status: 'queued' },
      ['body'],
      'chatSeq',
    );
    expect(queue.map(({ body }) => body)).toEqual(['Yes', 'And in blue', 'Tomorrow', 'The day after']);
  });

  it('blocks the person whom an account has blocked under either address, and only that one afterwards', async () => {
    const people = await twoPeople();
    await addRow(database, 'sessionContact', { sessionId, contactId: people.from, isBlocked: true });
    const blocked = () =>
      findRows(
        database,
        'sessionContact',
        { contactId: [people.from, people.into] },
        { id: 'contactId', isBlocked: 'isBlocked' },
      );
    await join(people);
    expect(await blocked()).toContainEqual({ id: people.into, isBlocked: true });
    await unmerge(people.from);
    expect(await blocked()).toEqual([{ id: people.from, isBlocked: true }]);

    const others = await twoPeople();
    await addRow(
      database,
      'sessionContact',
      { sessionId, contactId: others.from, isBlocked: true, isMyContact: false },
      { sessionId, contactId: others.into, isBlocked: false, isMyContact: true },
    );
    const before = await rowsAbout(others);
    await join(others);
    await unmerge(others.from);
    expect(await rowsAbout(others)).toEqual(before);
  });

  /** A phone that is known from another account of the tenant. */
  async function knownElsewhere(phone: string): Promise<void> {
    await addRow(database, 'contact', { ...SCOPE, id: `con_${phone}`, chatId: phone });
    await addRow(database, 'contactAlias', { ...SCOPE, chatId: phone, contactId: `con_${phone}` });
  }
});
