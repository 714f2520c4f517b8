import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { eraseMessages, erasePerson } from '../../../db/personal-data/erase-person.ts';
import { recordFiles, takeErasedFiles } from '../../../db/personal-data/erase-files.ts';
import { eraseRecords } from '../../../db/personal-data/erase-records.ts';
import { beginErasure, findErasure, lockErasure } from '../../../db/personal-data/erasure.ts';
import { readExportPage } from '../../../db/personal-data/export/read-page.ts';
import type { ExportPlace } from '../../../db/personal-data/export/walk.ts';
import { anAgent } from '../../db/agent/a-turn.ts';
import { SCOPE } from '../../db/a-database.ts';
import { aPerson } from '../../db/conversations/a-person.ts';
import type { People } from '../../db/conversations/a-person.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { howMany } from '../../support/depth.ts';
import { countOf, rowsOf } from '../../support/rows.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const person = aPerson(database, sessionId);

interface Scene extends People {
  ofFrom: number;
  ofInto: number;
}

/** Two people, each with messages of their own that say whose they are. */
async function aScene(): Promise<Scene> {
  const people = await person.twoPeople(agent);
  const fill = (conversationId: string, count: number, words: string) =>
    rowsOf(
      database,
      sql`insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
          body, occurred_at, created_at, status, chat_id)
        select 'msg_' || ${words}::text || id || n, agency_id, tenant_id, session_id, id, contact_id, 'in', 'network',
          'text', ${words}::text, now() - interval '1 hour' - n * interval '1 minute', now() - interval '1 hour',
          'received', null
        from conversation, generate_series(1, ${count}::int) n where id = ${conversationId}`,
    );
  await fill(people.a, 3, 'into');
  await fill(people.b, 5, 'from');
  database.clock.advance(3_000);
  return { ...people, ofFrom: 5, ofInto: 3 };
}

/** What happens to the two between two steps; `isOne` says whether they are one person before and after. */
const HAPPENINGS = {
  nothing: { before: false, after: false, happens: () => Promise.resolve() },
  'a merge': { before: false, after: true, happens: (people: Scene) => person.join(people) },
  'the end of a merge': {
    before: true,
    after: false,
    happens: (people: Scene) => person.unmerge(people.from).then(() => undefined),
  },
  'another number': {
    before: false,
    after: false,
    happens: ({ phone }: Scene) =>
      database.transaction((tx) => person.named(tx, phone, phone.replace('1555', '1666'))).then(() => undefined),
  },
} as const;

const left = (words: string, { a, b }: Scene) =>
  countOf(
    database,
    sql`message where body = ${words} and id in (
    select 'msg_' || ${words}::text || c || n from unnest(array[${a}, ${b}]) c, generate_series(1, 9) n)`,
  );

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
          // What the other one writes once the two are two is theirs alone.
          if (before && !wasOver) await agent.write(scene[other === 'from' ? 'hidden' : 'phone'], `apart ${at}`);
          database.clock.advance(5_000);
          while (await stepOf(id));
          const erasure = await database.read((queries) => findErasure(queries, id));
          expect(erasure).toMatchObject({ step: 'done', waitsFor: null });
          expect([at, await left(asked, scene)]).toEqual([at, 0]);
          expect([at, await countOf(database, sql`contact where id = ${scene[asked]}`)]).toEqual([at, 0]);
          const isErasedToo = wasOver ? before : after;
          expect([at, await left(other, scene)]).toEqual([at, isErasedToo ? 0 : keptBefore]);
          expect([at, await countOf(database, sql`contact where id = ${scene[other]}`)]).toEqual([
            at,
            isErasedToo ? 0 : 1,
          ]);
          if (before && !wasOver)
            expect([at, await countOf(database, sql`message where body = ${`apart ${at}`}`)]).toEqual([at, 1]);
          await rowsOf(database, sql`delete from message where body = ${`apart ${at}`}`);
        }
      });
});

describe('an export', () => {
  /** Nothing before it is moved by a merge. */
  const BEGIN: ExportPlace = { what: 'conversation', parent: null, after: null };

  interface File {
    ids: Map<string, string>;
    conversations: Set<string>;
    handovers: number;
  }

  /** Reads an export to its end, with `happens` before the page of this number; null when it has fewer pages. */
  async function exported(at: number, happens: () => Promise<unknown>): Promise<File | null> {
    const createdAt = new Date(database.clock.now().getTime() + 60_000);
    const file: File = { ids: new Map(), conversations: new Set(), handovers: 0 };
    let pages = 0;
    for (let place: ExportPlace | null = BEGIN; place !== null; pages += 1) {
      if (pages === at) await happens();
      const from: ExportPlace = place;
      const page = await database.transaction((tx) => readExportPage(tx, { ...SCOPE, createdAt }, from));
      for (const { what, lines } of page.parts)
        for (const line of lines) {
          const row = JSON.parse(line) as { id: string; conversation_id: string };
          if (what === 'message') {
            expect(file.ids.has(row.id)).toBe(false);
            file.ids.set(row.id, row.conversation_id);
          }
          if (what === 'conversation') file.conversations.add(row.id);
          if (what === 'handover') file.handovers += 1;
        }
      place = page.next;
    }
    return pages > at ? file : null;
  }

  for (const [name, { before, happens }] of Object.entries(HAPPENINGS))
    it(`has every message once, and the conversation of each, with ${name} between any two pages`, async () => {
      for (let at = 0, goesOn = true; goesOn; at += howMany({ few: 3, all: 1 })) {
        await agent.startOver();
        await rowsOf(database, sql`delete from handover`);
        await rowsOf(database, sql`delete from message`);
        const scene = await aScene();
        // Enough for more than one page, in a conversation before and behind those of the two.
        for (const [conversationId, words] of [
          [scene.a, '0'],
          [scene.b, 'z'],
        ] as const)
          await rowsOf(
            database,
            sql`insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
                occurred_at, created_at, status)
              select 'msg_' || ${words}::text || lpad(n::text, 6, '0'), agency_id, tenant_id, session_id, id, 'in',
                'network', 'text', 'filler', now() - n * interval '1 minute', now() - interval '1 hour', 'received'
              from conversation, generate_series(1, 510) n where id = ${conversationId}`,
          );
        for (const conversationId of [scene.a, scene.b])
          await rowsOf(
            database,
            sql`insert into handover (conversation_id, at, cause, mode, epoch)
              select ${conversationId}::text, now(), 'assign', 'human_takeover', n from generate_series(1, 260) n`,
          );
        if (before) await person.join(scene);
        const there = await rowsOf<{ id: string }>(database, sql`select id from message order by id`);
        const handovers = await countOf(database, sql`handover where cause = 'assign'`);
        const file = await exported(at, () => happens(scene));
        goesOn = file !== null;
        if (file === null) break;
        expect([at, [...file.ids.keys()].toSorted()]).toEqual([at, there.map(({ id }) => id)]);
        expect([at, [...file.ids.values()].filter((id) => !file.conversations.has(id))]).toEqual([at, []]);
        expect(file.handovers).toBeGreaterThanOrEqual(handovers);
      }
    });
});
