import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { setOptOut } from '../../../db/automations/opt-out.ts';
import { findRows, not, rowsOf } from '../../support/rows.ts';
import { anAgent } from '../agent/a-turn.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aPerson } from './a-person.ts';
import type { People } from './a-person.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const person = aPerson(database, sessionId);

/**
 * Each column of a person's rows, with the values that the two have before the merge: `%` stands for whose it is. Null:
 * what is written and sent gives the two different values by itself. A new column belongs here, or the test fails.
 */
const COLUMNS: Readonly<Record<'contact' | 'conversation', Record<string, string | null>>> = {
  contact: {
    id: null,
    agency_id: null,
    tenant_id: null,
    chat_id: null,
    created_at: null,
    name: `'name %'`,
    push_name: `'push name %'`,
    on_network: `true`,
    checked_at: `timestamptz '2026-01-01' + interval '% hours'`,
    picture: `jsonb_build_object('key', 'a1/%')`,
    picture_asked_at: `timestamptz '2026-01-02' + interval '% hours'`,
    phone_asked_at: `timestamptz '2026-01-03' + interval '% hours'`,
    ask_phone_at: `timestamptz '2026-01-04' + interval '% hours'`,
    ask_session_id: `'ses_%'`,
    phone_asks: `%`,
    opted_out_at: `timestamptz '2026-01-05' + interval '% hours'`,
    opted_out_by: `'word'`,
  },
  conversation: {
    id: null,
    agency_id: null,
    tenant_id: null,
    session_id: null,
    chat_id: null,
    contact_id: null,
    created_at: null,
    merged_into: null,
    unfinished_merge: null,
    last_message_id: null,
    last_message_body: null,
    last_message_from_me: null,
    last_message_at: null,
    last_inbound_at: null,
    last_seq: null,
    unread_count: null,
    name: `'name %'`,
    picture_url: `'http://backend/%'`,
    mode: `'human_takeover'`,
    assigned_to: `'person %'`,
    assigned_reason: `'reason %'`,
    taken_over_by: `'assign'`,
    human_active_at: `timestamptz '2026-01-06' + interval '% hours'`,
    return_at: `timestamptz '2036-01-07' + interval '% hours'`,
    history_synced: `%`,
    history_complete: `true`,
    contacted: `true`,
    read_up_to: `timestamptz '2026-01-08' + interval '% hours'`,
    members_at: `timestamptz '2026-01-09' + interval '% hours'`,
    name_told_at: `timestamptz '2026-01-10' + interval '% hours'`,
    typing_at: `timestamptz '2026-01-11' + interval '% hours'`,
    typing_until: `timestamptz '2026-01-12' + interval '% hours'`,
    // The epochs only grow, so that nothing that was begun before passes, and each change is noted.
    epoch: null,
    updated_at: null,
  },
};
const GROW = ['epoch', 'updated_at'];

const side = { from: 3, into: 5 } as const;
const idsOf = ({ a, b, from, into }: People) => ({ contact: { from, into }, conversation: { from: b, into: a } });

/** Gives the rows of one of the two their values. */
async function give(people: People, whose: 'from' | 'into'): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS) as [
    'contact' | 'conversation',
    Record<string, string | null>,
  ][]) {
    const values = Object.entries(columns).flatMap(([column, value]) =>
      value === null ? [] : [`${column} = ${value.replaceAll('%', String(side[whose]))}`],
    );
    const id = idsOf(people)[table][whose];
    await rowsOf(database, sql`update ${sql.table(table)} set ${sql.raw(values.join(', '))} where id = ${id}`);
  }
}

async function rowsIn(people: People) {
  const ids = idsOf(people);
  const read = (table: 'contact' | 'conversation') =>
    rowsOf<{ row: object }>(
      database,
      sql`select to_jsonb(t) - ${GROW}::text[] as row from ${sql.table(table)} t
        where id in (${ids[table].from}, ${ids[table].into}) order by id`,
    );
  return { contacts: await read('contact'), conversations: await read('conversation') };
}

const areOut = async ({ from, into }: People) => {
  const found = await findRows(database, 'contact', { id: [from, into], optedOutAt: not(null) }, ['id']);
  const of = (id: string) => found.some((each) => each.id === id);
  return { from: of(from), into: of(into) };
};
const optOut = (contactId: string, isOptedOut = true) =>
  database.transaction((tx) => setOptOut(tx, contactId, { isOptedOut, by: 'word' }));

describe('the undoing of a merge', () => {
  beforeEach(() => agent.startOver());

  it('is told of every column of the rows that a merge folds', async () => {
    const found = await rowsOf<{ table: string; column: string }>(
      database,
      sql`select c.relname as table, a.attname as column
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = current_schema()::regnamespace and c.relname in ('contact', 'conversation')`,
    );
    const named = Object.entries(COLUMNS).flatMap(([table, columns]) =>
      Object.keys(columns).map((column) => `${table}.${column}`),
    );
    expect(named.toSorted()).toEqual(found.map(({ table, column }) => `${table}.${column}`).toSorted());
  });

  for (const given of [['from'], ['into'], ['from', 'into'], []] as const)
    it(`leaves each column as it was, with values of ${given.length === 0 ? 'neither' : given.join(' and ')}`, async () => {
      const people = await person.twoPeople(agent);
      for (const whose of given) await give(people, whose);
      const before = await rowsIn(people);
      await person.join(people);
      await person.unmerge(people.from);
      expect(await rowsIn(people)).toEqual(before);
    });

  it('lets a STOP that came since hold for both, because nobody knows whose it was', async () => {
    const people = await person.twoPeople(agent);
    await person.join(people);
    await optOut(people.into);
    await person.unmerge(people.from);
    expect(await areOut(people)).toEqual({ from: true, into: true });
  });

  it('gives a STOP of before to whom it was of', async () => {
    const people = await person.twoPeople(agent);
    await optOut(people.from);
    await person.join(people);
    await person.unmerge(people.from);
    expect(await areOut(people)).toEqual({ from: true, into: false });
  });

  it('lets a START that came since end no STOP of before', async () => {
    const people = await person.twoPeople(agent);
    await optOut(people.from);
    await person.join(people);
    await optOut(people.into, false);
    await person.unmerge(people.from);
    expect(await areOut(people)).toEqual({ from: true, into: false });
  });

  it('lets a second STOP after a START hold for both', async () => {
    const people = await person.twoPeople(agent);
    await optOut(people.into);
    await person.join(people);
    await optOut(people.into, false);
    database.clock.advance(1_000);
    await optOut(people.into);
    await person.unmerge(people.from);
    expect(await areOut(people)).toEqual({ from: true, into: true });
  });
});
