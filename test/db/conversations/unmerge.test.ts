import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { findUnfinishedUndo, moveLeftBack } from '../../../db/network/unmerge/unmerge.ts';
import { addMessages, ago, countRows, deleteRows, findRows, not, rowsOf } from '../../support/rows.ts';
import { anAgent } from '../agent/a-turn.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aPerson } from './a-person.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const { send, contactOf, rowsAbout, stateOf, goesOut, unmerge, join, twoPeople: two } = aPerson(database, sessionId);
const twoPeople = () => two(agent);

describe('a merge of contacts that is undone', () => {
  beforeEach(() => agent.startOver());

  it('leaves every row as it was, with the queues, the memories and who had which conversation', async () => {
    const people = await twoPeople();
    await agent.hands(people.b, 'human_takeover');
    await agent.write(people.hidden, 'from my phone', { fromMe: true, networkId: `PARKED${people.a}` });
    const before = await rowsAbout(people);
    await join(people);
    expect(await stateOf(people.b)).toMatchObject({ mergedInto: people.a });
    expect(await stateOf(people.a)).toMatchObject({ mode: 'human_takeover' });

    expect(await unmerge(people.from)).toMatchObject({
      outcome: 'parted',
      parted: {
        contactId: people.into,
        partedFrom: people.from,
        conversations: [{ conversationId: people.a, partedFrom: people.b, sessionId }],
      },
    });

    expect(await rowsAbout(people)).toEqual(before);
    expect(await stateOf(people.a)).toMatchObject({ mode: 'bot_active', mergedInto: null });
    expect(await stateOf(people.b)).toMatchObject({ mode: 'human_takeover', mergedInto: null });
  });

  it('is told to dashboards, with who has which conversation now, as the merge was', async () => {
    const people = await twoPeople();
    await agent.hands(people.b, 'human_takeover');
    await join(people);
    await unmerge(people.into);
    const told = await rowsOf(
      database,
      sql<{ type: string; payload: unknown }>`select type, body::jsonb->'payload' as payload from event
        where (type like 'contact.%' and body like ${`%${people.into}%`})
          or (type in ('conversation.assigned', 'conversation.released') and conversation_id = ${people.a})
        order by place`,
    );
    expect(told).toEqual([
      {
        type: 'contact.merged',
        payload: expect.objectContaining({
          contactId: people.into,
          mergedFrom: people.from,
          conversations: [{ conversationId: people.a, mergedFrom: people.b, sessionId }],
        }),
      },
      { type: 'conversation.assigned', payload: expect.objectContaining({ cause: 'merge', mergedFrom: people.b }) },
      {
        type: 'conversation.released',
        payload: expect.objectContaining({ cause: 'unmerge', mode: 'bot_active', conversationId: people.a }),
      },
      {
        type: 'contact.unmerged',
        payload: expect.objectContaining({
          contactId: people.into,
          partedFrom: people.from,
          conversations: [{ conversationId: people.a, partedFrom: people.b, sessionId }],
        }),
      },
    ]);
  });

  it('leaves what came since with whom its own address says, and what went out where it went', async () => {
    const people = await twoPeople();
    const { phone, hidden, a, b } = people;
    await join(people);
    await agent.write(hidden, 'under the hidden id');
    await agent.write(phone, 'under the phone');
    const later = await send(phone, 'Said since');
    const [yes] = await findRows(database, 'message', { conversationId: a, body: 'Yes' }, ['id']);
    await goesOut(yes?.id ?? '', a);
    await unmerge(people.from);
    const bodiesIn = async (id: string) =>
      (await findRows(database, 'message', { conversationId: id }, { body: 'body', contact: 'contactId' }, 'body')).map(
        ({ body, contact }) => `${body} · ${contact === people.from ? 'from' : 'into'}`,
      );
    expect(await bodiesIn(b)).toEqual([
      'And in blue · from',
      'Is it still there? · from',
      'Tomorrow · from',
      'under the hidden id · from',
    ]);
    expect(await bodiesIn(a)).toEqual([
      'And a picture of it · into',
      'Our offer · into',
      'Said since · into',
      'Yes · into',
      'under the phone · into',
    ]);
    expect(await stateOf(b)).toMatchObject({ lastBody: 'under the hidden id', unread: 2 });
    expect(await stateOf(a)).toMatchObject({ lastBody: 'Said since', unread: 1 });
    expect(await countRows(database, 'message', { id: later.messageId, conversationId: a })).toBe(1);
  });

  it('lets both queues go on', async () => {
    const people = await twoPeople();
    await join(people);
    const [yes] = await findRows(database, 'message', { conversationId: people.a, body: 'Yes' }, ['id']);
    await goesOut(yes?.id ?? '', people.a);
    await unmerge(people.from);
    const heads = await findRows(
      database,
      'message',
      { conversationId: [people.a, people.b], status: 'queued', releasedAt: not(null) },
      { id: 'conversationId' },
    );
    expect(heads.map(({ id }) => id).toSorted()).toEqual([people.a, people.b].toSorted());
  });

  it('does not come back: a message that names both addresses belongs to the contact of its chat', async () => {
    const people = await twoPeople();
    const { phone, hidden, a, b } = people;
    await join(people);
    await unmerge(people.from);
    expect(await agent.write(hidden, 'one', { aliases: [phone] })).toBe(b);
    expect(await agent.write(phone, 'two', { aliases: [hidden] })).toBe(a);
    expect(await contactOf(hidden)).toBe(people.from);
    expect(await stateOf(b)).toMatchObject({ chatId: hidden });
    expect(await countRows(database, 'contactMerge', { undoneAt: null, intoContactId: people.into })).toBe(0);
  });

  it('holds both conversations for a person who took over the one that they were', async () => {
    const people = await twoPeople();
    await join(people);
    await agent.hands(people.b, 'human_takeover');
    await unmerge(people.from);
    const states = [await stateOf(people.a), await stateOf(people.b)];
    expect(states).toMatchObject([{ mode: 'human_takeover' }, { mode: 'human_takeover' }]);
  });

  it('lets no epoch go back, so that nothing which the agent began while they were one gets past the fence', async () => {
    const people = await twoPeople();
    await join(people);
    const merged = await stateOf(people.a);
    await agent.write(people.phone, 'A question');
    agent.script({ outcome: 'reply', text: 'An answer that knows of both.' });
    await agent.settle(people.a);
    await unmerge(people.from);
    expect((await stateOf(people.a)).epoch).toBeGreaterThan(merged.epoch);
    expect(await agent.claimIn(people.a)).toBe('refused');
  });

  it('ends a turn that runs, and has the agent look again at what it owes', async () => {
    const people = await twoPeople();
    await join(people);
    await agent.write(people.hidden, 'A question');
    const turnId = await agent.begun(people.a);
    await deleteRows(database, 'dispatch');
    await unmerge(people.from);
    expect(await countRows(database, 'aiTurn', { id: turnId })).toBe(0);
    expect(await countRows(database, 'dispatch', { workflowId: `ai/${people.b}` })).toBe(1);
  });

  it('is refused where nothing was merged, a second time, and for a contact that has gone on since', async () => {
    const people = await twoPeople();
    expect(await unmerge(people.from)).toEqual({ outcome: 'not_merged' });
    expect(await unmerge('con_0')).toEqual({ outcome: 'unknown' });
    await join(people);
    const third = agent.person();
    await send(third, 'To a third number');
    await database.transaction((tx) => aPerson(database, sessionId).checked(tx, people.a, third));
    const into = await contactOf(third);
    expect(await unmerge(people.from)).toEqual({ outcome: 'merged_on', into });
    expect(await unmerge(people.into)).toMatchObject({ outcome: 'parted', parted: { contactId: into } });
    expect(await unmerge(people.from)).toMatchObject({ outcome: 'parted', parted: { contactId: people.into } });
    expect(await unmerge(people.from)).toEqual({ outcome: 'not_merged' });
    expect([await contactOf(people.phone), await contactOf(people.hidden), await contactOf(third)]).toEqual([
      people.into,
      people.from,
      into,
    ]);
  });

  /** Two contacts that were merged, one of them with a long conversation. */
  async function aLongTalk() {
    const phone = agent.person();
    const hidden = phone.replace('@c.us', '@lid');
    const { conversationId: a } = await send(phone, 'Our offer');
    const b = await agent.write(hidden, 'the newest');
    await addMessages(database, b, 2_500, (n) => ({
      id: `msg_${b}_${n}`,
      origin: 'history',
      body: `${n}`,
      occurredAt: ago({ minutes: n }),
    }));
    const from = await contactOf(hidden);
    await join({ phone, hidden });
    await aPerson(database, sessionId).finishMerges();
    return { phone, hidden, a, b, from };
  }

  it('moves the old messages of a long conversation back step by step', async () => {
    const { b, from } = await aLongTalk();
    await unmerge(from);
    const back = () => countRows(database, 'message', { conversationId: b, contactId: from });
    expect(await back()).toBe(1_000);
    for (let id = await database.read(findUnfinishedUndo); id !== null;) {
      const left = id;
      await database.transaction((tx) => moveLeftBack(tx, left));
      id = await database.read(findUnfinishedUndo);
    }
    expect(await back()).toBe(2_501);
  });

  it('moves all old messages back before one of the two is merged with somebody else', async () => {
    const { hidden, a, b, from } = await aLongTalk();
    await unmerge(from);
    const third = agent.person();
    const { conversationId: elsewhere } = await send(third, 'To a third number');
    await database.transaction((tx) => aPerson(database, sessionId).checked(tx, a, third));
    await aPerson(database, sessionId).finishMerges();
    expect(await countRows(database, 'message', { conversationId: b, contactId: from })).toBe(2_501);
    expect(await countRows(database, 'message', { conversationId: elsewhere, body: '2400' })).toBe(0);
    expect(await contactOf(hidden)).toBe(from);
  });
});
