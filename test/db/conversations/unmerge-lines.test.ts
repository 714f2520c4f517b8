import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { UNMERGE_LINES } from '../../../db/network/unmerge/lines.ts';
import { OF_PEOPLE } from '../../../db/personal-data/export/moved-people.ts';
import { EXPORTED } from '../../../db/personal-data/export/tables.ts';
import { EXPORT_STEPS } from '../../../db/personal-data/export/walk.ts';
import {
  addRow,
  among,
  changeRows,
  countOf,
  databaseNow,
  ensureAutomation,
  findRow,
  findRows,
  json,
  rowsOf,
} from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { anAgent } from '../agent/a-turn.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aPerson } from './a-person.ts';
import type { People } from './a-person.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const person = aPerson(database, sessionId);

/** Columns that change with each merge and its end: epochs only grow, and each change is noted. */
const GROW = ['epoch', 'conversation_epoch', 'updated_at'];

let made = 0;
/** An id that names neither a contact nor a conversation. */
const serial = () => (made += 1);

interface Column {
  table: string;
  column: string;
}

const COLUMNS = sql`pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

/** The columns that refer to a contact or a conversation, by a foreign key or by their name. */
const readReferring = () =>
  rowsOf(
    database,
    sql<Column>`select c.relname as table, a.attname as column from ${COLUMNS}
    and a.atttypid in ('text'::regtype, 'text[]'::regtype) and (a.attname ~ '(contact|conversation)(_ids?)?$'
      or exists (select 1 from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'
        and f.confrelid in ('contact'::regclass, 'conversation'::regclass) and a.attnum = any (f.conkey)))`,
  );
const telling = await rowsOf(
  database,
  sql<Column>`select c.relname as table, a.attname as column from ${COLUMNS}
    and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype)`,
);

const idsOf = ({ a, b, from, into }: People) => [a, b, from, into];
const nameOf = ({ table, column }: Column) => `${table}.${column}`;

const naming = ({ table, column }: Column, ids: readonly string[]): RawBuilder<unknown> =>
  sql`${sql.table(table)} t where to_jsonb(t)->>${column} like any (${ids.map((id) => `%${id}%`)}::text[])`;

/** Two people of whom each table that belongs to a person has rows. */
async function twoPeople(): Promise<People> {
  const people = await person.twoPeople(agent);
  const { a, b, from, into, hidden } = people;
  await agent.settle(b);
  await agent.hands(b, 'human_takeover');
  await agent.hands(b, 'bot_active');
  await agent.write(hidden, 'from my phone', { fromMe: true, networkId: `PARKED${serial()}` });
  for (const { contact, conversation } of [
    { contact: from, conversation: b },
    { contact: into, conversation: a },
  ]) {
    await addRow(database, 'aiReservation', {
      id: `res_${serial()}`,
      agencyId: 'a1',
      tenantId: 't1',
      contactId: contact,
      tokens: 5,
      at: databaseNow,
    });
    await addRow(database, 'sessionContact', { sessionId, contactId: contact, isMyContact: true });
    await aRun(`exe_${serial()}`, { contact, conversation });
  }
  // A conversation that led to the one that goes.
  const other = agent.person();
  const { conversationId: led } = await person.send(other, 'Hello');
  await changeRows(database, 'conversation', { mergedInto: b, contactId: null }, { id: led });
  return people;
}

async function aRun(
  id: string,
  { contact, conversation, messageId }: { contact: string; conversation: string; messageId?: string },
): Promise<void> {
  await ensureAutomation(database, SCOPE, { id: 'aut_1', definition: 'ask-satisfaction' });
  await addRow(database, 'automationExecution', {
    id,
    automationId: 'aut_1',
    agencyId: 'a1',
    tenantId: 't1',
    sessionId,
    conversationId: conversation,
    contactId: contact,
    definition: 'ask-satisfaction',
    params: json({}),
    trigger: json({ event: 'message', messageId }),
    triggerKey: id,
    status: 'running',
    createdAt: databaseNow,
    promisedAt: databaseNow,
  });
}

const messageIn = async (body: string): Promise<string> => {
  const [found] = await findRows(database, 'message', { body }, ['id']);
  return found?.id ?? '';
};

/** Every row that names one of the two in a column whose rows are given back. */
async function rowsAbout(people: People) {
  const dump: Record<string, unknown> = {};
  for (const column of telling) {
    if (UNMERGE_LINES[nameOf(column)]?.isGivenBack !== true) continue;
    dump[nameOf(column)] = await rowsOf(
      database,
      sql`select to_jsonb(t) - ${GROW}::text[] as row from ${naming(column, idsOf(people))}
        and coalesce(to_jsonb(t)->>'cause', '') not in ('merge', 'unmerge') order by 1`,
    );
  }
  return dump;
}

describe('the undoing of a merge', () => {
  beforeEach(() => agent.startOver());

  const listUnsaid = async () => (await readReferring()).map(nameOf).filter((name) => !(name in UNMERGE_LINES));

  it('has a line for each column that refers to a contact or a conversation, and for none that is gone', async () => {
    expect(await listUnsaid()).toEqual([]);
    const there = new Set(telling.map(nameOf));
    expect(Object.keys(UNMERGE_LINES).filter((name) => !there.has(name))).toEqual([]);
  });

  it('notices a new table that refers to either, by its foreign key or by its name', async () => {
    await rowsOf(database, sql`create table gift (id text, giver text references contact, seen_in_conversation text)`);
    expect((await listUnsaid()).toSorted()).toEqual(['gift.giver', 'gift.seen_in_conversation']);
    await rowsOf(database, sql`drop table gift`);
  });

  it('has a line for each column in which a merge, or what comes with it, has left one of their ids', async () => {
    const people = await twoPeople();
    await person.join(people);
    await agent.write(people.hidden, 'since');
    await person.unmerge(people.from);
    const found: string[] = [];
    for (const column of telling)
      if ((await countOf(database, naming(column, idsOf(people)))) > 0) found.push(nameOf(column));
    expect(found).toContain('merge_move.ids');
    expect(found.filter((name) => !(name in UNMERGE_LINES))).toEqual([]);
  });

  it('gives back nothing that an export does not write anew when it happens beside one', () => {
    const exported = new Set<string>(EXPORTED.map(({ table }) => table));
    const tables = Object.entries(UNMERGE_LINES)
      .filter(([, { isGivenBack }]) => isGivenBack)
      .map(([column]) => column.replace(/[.].*$/, ''))
      .filter((table) => exported.has(table) && table !== 'message');
    expect(tables).toContain('handover');
    expect(tables.filter((table) => !(table in OF_PEOPLE))).toEqual([]);
    const later = EXPORT_STEPS.filter(({ table, isLater }) => isLater && table.table in OF_PEOPLE);
    expect(later.map(({ what }) => what).filter((what) => !(what in OF_PEOPLE))).toEqual([]);
  });

  it('gives back the rows of every table that has a line for it', async () => {
    const people = await twoPeople();
    const before = await rowsAbout(people);
    for (const [name, found] of Object.entries(before)) expect({ name, found }).not.toEqual({ name, found: [] });
    await person.join(people);
    await person.unmerge(people.from);
    expect(await rowsAbout(people)).toEqual(before);
  });

  it('gives a run that a message of the one person has begun to that person, with what it has queued', async () => {
    const people = await person.twoPeople(agent);
    const { a, b, from, into, hidden } = people;
    await person.join(people);
    await agent.write(hidden, 'of the hidden id');
    await agent.write(people.phone, 'of the phone');
    const [ofHidden, ofPhone] = [`exe_${serial()}`, `exe_${serial()}`];
    await aRun(ofHidden, { contact: into, conversation: a, messageId: await messageIn('of the hidden id') });
    await aRun(ofPhone, { contact: into, conversation: a, messageId: await messageIn('of the phone') });
    for (const run of [ofHidden, ofPhone]) {
      const { messageId } = await person.send(people.phone, `said by ${run}`);
      await changeRows(database, 'message', { via: 'automation', executionId: run }, { id: messageId });
    }
    await person.unmerge(from);
    for (const [run, conversationId, contactId] of [[ofHidden, b, from] as const, [ofPhone, a, into] as const]) {
      const whose = ['conversationId', 'contactId'] as const;
      expect(await findRow(database, 'automationExecution', { id: run }, whose)).toEqual({ conversationId, contactId });
      expect(await findRows(database, 'message', { executionId: run }, ['conversationId'])).toEqual([
        { conversationId },
      ]);
    }
  });

  it('gives a turn that said nothing to the person whose message it was about', async () => {
    const people = await person.twoPeople(agent);
    await person.join(people);
    await agent.settle(people.a);
    await agent.write(people.hidden, 'thanks');
    agent.script({ outcome: 'silence' });
    await agent.settle(people.a);
    await person.unmerge(people.from);
    const turns = await findRows(
      database,
      'aiTurn',
      { upToMessageId: among('message', { conversationId: people.b }), messageId: null },
      { id: 'conversationId' },
    );
    expect(turns).toEqual([{ id: people.b }]);
  });

  it('lets a block since hold for both, and leaves a block of before with whom it was of', async () => {
    const people = await person.twoPeople(agent);
    await person.join(people);
    await addRow(database, 'sessionContact', {
      sessionId,
      contactId: people.into,
      isBlocked: true,
      decidedAt: databaseNow,
    });
    await person.unmerge(people.from);
    const others = await person.twoPeople(agent);
    await addRow(database, 'sessionContact', { sessionId, contactId: others.from, isBlocked: true });
    await person.join(others);
    // The account says something else of the merged contact.
    await changeRows(database, 'sessionContact', { isMyContact: true }, { contactId: others.into });
    await person.unmerge(others.from);
    const blocked = await findRows(
      database,
      'sessionContact',
      { isBlocked: true, contactId: [people.from, people.into, others.from, others.into] },
      { id: 'contactId' },
      'contactId',
    );
    expect(blocked.map(({ id }) => id)).toEqual([people.from, people.into, others.from].toSorted());
  });

  it('gives each what nobody had read of theirs, also where newer messages of the other were read', async () => {
    const people = await person.twoPeople(agent);
    const { a, b, phone, hidden } = people;
    await agent.write(phone, 'unread before');
    await changeRows(database, 'conversation', { unreadCount: 0 }, { id: b });
    await agent.write(hidden, 'read before');
    await changeRows(database, 'conversation', { unreadCount: 0 }, { id: b });
    await person.join(people);
    await agent.write(phone, 'since');
    await person.unmerge(people.from);
    expect([(await person.stateOf(a)).unread, (await person.stateOf(b)).unread]).toEqual([2, 0]);
  });
});
