import { describe, expect, it } from '@jest/globals';
import type { KyselyPlugin } from 'kysely';
import { readMovedPeople } from '../../../db/personal-data/export/moved-people.ts';
import type { MovedPeople } from '../../../db/personal-data/export/moved-people.ts';
import { SCOPE } from '../../db/a-database.ts';
import { aPerson } from '../../db/conversations/a-person.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { twoWhoWrote } from './between-steps.ts';
import { fillWith } from './whose-rows.ts';

const { database, sessionId } = await databaseOfThisFile();
const person = aPerson(database, sessionId);
const PAGE_ROWS = 2_000;
const MESSAGES = 4_500;

/** Reads the people with something that happens behind each answer of the database. */
async function read(happens: (answers: number) => Promise<unknown>) {
  const sizes: number[] = [];
  const heard: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      sizes.push(result.rows.length);
      await happens(sizes.length);
      return result;
    },
  };
  const scope = { ...SCOPE, createdAt: new Date(Date.now() + 60_000) };
  const people = await database.transaction((tx) => readMovedPeople({ ...tx, sql: tx.sql.withPlugin(heard) }, scope));
  if (people === 'under_way') throw new Error('A merge is being undone.');
  return { people, sizes };
}

/** The rows come in any order. */
const inOrder = ({ contactIds, conversationIds, messages, lines, files }: MovedPeople) => ({
  contactIds: contactIds.toSorted(),
  conversationIds: conversationIds.toSorted(),
  messages: messages.map((each) => each.join(' ')).toSorted(),
  lines: Object.entries(lines).map(([what, of]) => [what, of.toSorted()]),
  files,
});

describe('the people of an export whom merges have moved', () => {
  it('are read in pages, and all of them as they were at one moment', async () => {
    const two = await twoWhoWrote(database, sessionId);
    await fillWith(database, { conversationId: two.b, words: two.hidden, messages: MESSAGES });
    await person.join(two);
    await person.finishMerges();
    const { people, sizes } = await read(() => Promise.resolve());
    expect(people.messages).toHaveLength(MESSAGES);
    expect(people.contactIds.toSorted()).toEqual([two.from, two.into].toSorted());
    expect(Math.max(...sizes)).toBe(PAGE_ROWS);
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(2);

    const firstPage = sizes.indexOf(PAGE_ROWS) + 1;
    const again = await read(async (answers) => {
      if (answers !== firstPage) return;
      await person.unmerge(two.from);
      await person.send(two.phone, 'Said meanwhile');
    });
    expect(inOrder(again.people)).toEqual(inOrder(people));
  });
});
