import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { eraseMessages, erasePerson } from '../../../db/personal-data/erase-person.ts';
import { recordFiles, takeErasedFiles } from '../../../db/personal-data/erase-files.ts';
import { eraseRecords } from '../../../db/personal-data/erase-records.ts';
import { beginErasure, findErasure, lockErasure } from '../../../db/personal-data/erasure.ts';
import { anAgent } from '../../db/agent/a-turn.ts';
import { SCOPE } from '../../db/a-database.ts';
import { aPerson } from '../../db/conversations/a-person.ts';
import type { People } from '../../db/conversations/a-person.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { countOf, countRows, deleteRows } from '../../support/rows.ts';
import { fillWith, WORDS } from './whose-rows.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const person = aPerson(database, sessionId);

type Scene = People;

/** Two people, each with rows of their own that say whose they are. */
async function aScene(): Promise<Scene> {
  const people = await person.twoPeople(agent);
  await fillWith(database, { conversationId: people.a, words: wordsOf('into', people), messages: 3 });
  await fillWith(database, { conversationId: people.b, words: wordsOf('from', people), messages: 5 });
  database.clock.advance(3_000);
  return people;
}

const wordsOf = (who: 'into' | 'from', people: Scene): string => `${who} ${people[who]}`;

/** The changes to the two people between two steps; `isOne` says whether they are one person before and after. */
const HAPPENINGS = {
  nothing: { before: false, after: false, happens: () => Promise.resolve() },
  'a merge': { before: false, after: true, happens: (people: Scene) => person.join(people) },
  'the end of a merge': {
    before: true,
    after: false,
    happens: (people: Scene) => person.unmerge(people.from).then(() => undefined),
  },
  'another number': { before: false, after: false, happens: getsNumber },
  'another number of one person': { before: true, after: true, happens: getsNumber },
} as const;

async function getsNumber({ phone }: Scene): Promise<void> {
  await database.transaction((tx) => person.named(tx, phone, phone.replace('1555', '1666')));
}

/** Counts the rows that say that they are this person's, by table; a table without any is not named. */
async function left(who: 'into' | 'from', scene: Scene): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [table, words] of Object.entries(WORDS)) {
    const count = await countOf(database, sql`${sql.table(table)} where ${sql.ref(words)} = ${wordsOf(who, scene)}`);
    if (count > 0) counts[table] = count;
  }
  return counts;
}

describe('an erasure', () => {
  /** One step of an erasure, as its activity takes it. */
  async function stepOf(erasureId: string): Promise<boolean> {
    return database.transaction(async (tx) => {
      const erasure = await lockErasure(tx, erasureId);
      if (erasure === null) return false;
      if (erasure.step === 'messages') await eraseMessages(tx, erasure);
      if (erasure.step === 'person') await erasePerson(tx, erasure);
      if (erasure.step === 'files') await recordFiles(tx, erasure, await takeErasedFiles(tx, erasure, 100));
      // Nobody posts events here, so nothing that was read before has to be waited for.
      const cursor = { at: 'end', restAt: '2026-01-01T00:00:00Z' };
      const isLast = JSON.stringify(erasure.cursor).includes('"end"');
      if (erasure.step === 'records') await eraseRecords(tx, isLast ? { ...erasure, cursor } : erasure);
      return true;
    });
  }

  const isOver = async (erasureId: string): Promise<boolean> =>
    (await database.read((queries) => findErasure(queries, erasureId)))?.erasedAt !== null;

  for (const asked of ['from', 'into'] as const)
    for (const [name, { before, after, happens }] of Object.entries(HAPPENINGS))
      it(`of the contact that ${asked === 'from' ? 'goes into' : 'stays of'} two erases the person whom it is, with ${name} between any two steps`, async () => {
        for (let at = 0, goesOn = true; goesOn; at += 1) {
          const scene = await aScene();
          if (before) await person.join(scene);
          const begun = await database.transaction((tx) =>
            beginErasure(tx, SCOPE.agencyId, { contactId: scene[asked], keyId: 'key' }),
          );
          const id = begun?.erasure.id ?? '';
          for (let step = 0; step < at && goesOn; step += 1) goesOn = await stepOf(id);
          const wasOver = await isOver(id);
          const other = asked === 'from' ? 'into' : 'from';
          const keptBefore = await left(other, scene);
          await happens(scene);
          // Once they are two again, the other one's new messages are theirs alone.
          if (before && !after && !wasOver)
            await agent.write(scene[other === 'from' ? 'hidden' : 'phone'], `apart ${at}`);
          database.clock.advance(5_000);
          while (await stepOf(id));
          const erasure = await database.read((queries) => findErasure(queries, id));
          expect(erasure).toMatchObject({ step: 'done', waitsFor: null });
          expect([at, await left(asked, scene)]).toEqual([at, {}]);
          expect([at, await countRows(database, 'contact', { id: scene[asked] })]).toEqual([at, 0]);
          const isErasedToo = wasOver ? before : after;
          expect([at, await left(other, scene)]).toEqual([at, isErasedToo ? {} : keptBefore]);
          expect([at, await countRows(database, 'contact', { id: scene[other] })]).toEqual([at, isErasedToo ? 0 : 1]);
          if (before && !after && !wasOver)
            expect([at, await countRows(database, 'message', { body: `apart ${at}` })]).toEqual([at, 1]);
          await deleteRows(database, 'message', { body: `apart ${at}` });
        }
      });
});
