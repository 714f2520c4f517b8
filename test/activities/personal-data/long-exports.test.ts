import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createDirectoryStore } from '../../../adapters/media-store/directory.ts';
import { withHolds } from '../../../activities/media/held.ts';
import { openArchive } from '../../../activities/personal-data/archive-file.ts';
import { createExportActivities } from '../../../activities/personal-data/export.ts';
import { importTenant } from '../../../activities/personal-data/import.ts';
import { createExportFiles } from '../../../api/personal-data/export-files.ts';
import { importMessages } from '../../../db/network/history.ts';
import { findUnfinishedUndo, moveLeftBack } from '../../../db/network/unmerge/unmerge.ts';
import { beginExport, findExport } from '../../../db/personal-data/export/export.ts';
import { EXPORTED } from '../../../db/personal-data/export/tables.ts';
import { registerAgency } from '../../../db/tenants/agency.ts';
import { readName, TRAILER_BYTES } from '../../../domain/personal-data/archive.ts';
import { aDatabase, SCOPE } from '../../db/a-database.ts';
import { aPerson } from '../../db/conversations/a-person.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { howMany } from '../../support/depth.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, deleteRows, emptyTables } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { atEachStep, HAPPENINGS, happeningsOf, never, Steps, twoWhoWrote } from './between-steps.ts';
import type { Two } from './between-steps.ts';
import { fillWith, madeOf, whoseRows, WORDS } from './whose-rows.ts';

const { database, sessionId, session } = await databaseOfThisFile();
const directory = await mkdtemp(join(tmpdir(), 'export-steps-'));
const store = withHolds(database, createDirectoryStore(join(directory, 'media')));
const other = await aDatabase();
const person = aPerson(database, sessionId);
afterAll(async () => {
  await other.close();
  await rm(directory, { recursive: true, force: true });
});

/** One transaction of a merge, and of its end, moves a thousand messages. */
const OF_PHONE = 300;
const OF_HIDDEN = 1_200;

async function fill({ a, b, phone, hidden }: Two): Promise<void> {
  await fillWith(database, { conversationId: a, words: phone, messages: OF_PHONE });
  await fillWith(database, { conversationId: b, words: hidden, messages: OF_HIDDEN });
}

const ExportedRow = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  conversation_id: z.string().optional(),
  contact_id: z.string().nullish(),
  merged_into: z.string().nullish(),
  chat_id: z.string().nullish(),
  body: z.string().nullish(),
  reason: z.string().nullish(),
  reply: z.string().nullish(),
  fact: z.string().nullish(),
  text: z.string().nullish(),
});
type ExportedRow = z.output<typeof ExportedRow>;

/** Reads the rows of a finished file by their table. */
async function rowsOfFile(exportId: string): Promise<Map<string, ExportedRow[]>> {
  const path = await written(exportId);
  await using archive = await openArchive(path);
  const found = new Map<string, ExportedRow[]>();
  for await (const entry of archive.entries(0)) {
    const name = readName(entry.name);
    if (name === null || !('rowsOf' in name)) continue;
    const pieces: Uint8Array[] = [];
    for await (const piece of archive.chunks(entry)) pieces.push(Buffer.from(piece));
    const lines = Buffer.concat(pieces).toString().split('\n').filter(Boolean);
    found.set(name.rowsOf, [
      ...(found.get(name.rowsOf) ?? []),
      ...lines.map((line) => ExportedRow.parse(JSON.parse(line))),
    ]);
  }
  return found;
}

/** Writes a finished export as its client does, and answers where. */
async function written(exportId: string): Promise<string> {
  const found = await database.read((queries) => findExport(queries, exportId));
  const last = (found?.sizeBytes ?? 0) + TRAILER_BYTES - 1;
  const path = join(directory, 'export.tar');
  const file = await open(path, 'w');
  for await (const piece of createExportFiles({ database, store }).read(exportId, { first: 0, last }))
    await file.write(piece);
  await file.close();
  return path;
}

/** Exports the tenant to the end, with a step before each transaction. */
async function exports(steps: Steps): Promise<string> {
  const begun = await database.transaction((tx) => beginExport(tx, SCOPE, 'key'));
  const exportId = begun?.found.id ?? '';
  const stepped = {
    read: database.read.bind(database),
    statement: database.statement.bind(database),
    transaction: async <T>(...[work]: Parameters<typeof database.transaction<T>>): Promise<T> => {
      await steps.next();
      return database.transaction(work);
    },
  };
  const stopping = new AbortController().signal;
  const { exportOn } = createExportActivities({ database: stepped, media: { store }, stopping });
  while (!(await inActivity(exportOn, { exportId })).isOver);
  return exportId;
}

/** Counts the rows of a file by whose they are, as the file says who is who. */
function whose(file: Map<string, ExportedRow[]>, addresses: readonly string[]): Record<string, number> {
  const of = (what: string) => file.get(what) ?? [];
  const known = new Set(of('contact').map(({ id }) => id));
  const contactOf = new Map(of('contact_alias').map((alias) => [alias.chat_id, alias.contact_id]));
  const talks = new Map(of('conversation').map((talk) => [talk.id, talk.contact_id]));
  const into = new Map(of('conversation.merged_into').map((talk) => [talk.id, talk.merged_into]));
  const count: Record<string, number> = {};
  for (const [what, wordsOf] of Object.entries(WORDS))
    for (const row of of(what)) {
      const words = row[wordsOf] ?? '';
      if (!addresses.includes(words)) continue;
      const talk =
        row.conversation_id === undefined ? undefined : (into.get(row.conversation_id) ?? row.conversation_id);
      const people = [
        ...(talk === undefined ? [] : [talks.get(talk)]),
        ...(row.contact_id === undefined ? [] : [row.contact_id]),
      ];
      const own = contactOf.get(words);
      const isOwn = own !== undefined && known.has(own ?? undefined) && people.every((each) => each === own);
      const who = `${what} ${isOwn ? words : 'of another'}`;
      count[who] = (count[who] ?? 0) + 1;
    }
  return count;
}

/** Names of rows that the file has twice. */
function twice(file: Map<string, ExportedRow[]>): string[] {
  return ['contact', 'conversation', 'message', 'ai_turn', 'memory', 'note'].flatMap((what) => {
    const ids = (file.get(what) ?? []).map(({ id }) => id);
    return new Set(ids).size === ids.length ? [] : [what];
  });
}

const happenings = happeningsOf(database, sessionId);

async function merged(two: Two): Promise<void> {
  await person.join(two);
  await person.finishMerges();
}

async function movesBackTo(isMore: boolean): Promise<void> {
  for (let id = await database.read(findUnfinishedUndo); id !== null;) {
    const left = id;
    await database.transaction((tx) => moveLeftBack(tx, left));
    id = isMore ? await database.read(findUnfinishedUndo) : null;
  }
}

/** The events before an export, and between two of its steps. */
const SCENES: Record<string, { before?: (two: Two) => Promise<unknown>; happens: (two: Two) => Promise<unknown> }> = {
  ...Object.fromEntries(
    HAPPENINGS.map((name) => {
      const { before, happens } = happenings[name] ?? never();
      return [name, { ...(before ? { before: merged } : {}), happens }];
    }),
  ),
  'more of a merge': { before: (two) => person.join(two), happens: () => person.finishMerges() },
  'more of the end of a merge': {
    before: async (two) => {
      await merged(two);
      await person.unmerge(two.from);
    },
    happens: () => movesBackTo(true),
  },
  'a merge that does not last': {
    happens: async (two) => {
      await person.join(two);
      await person.unmerge(two.from);
    },
  },
  'a merge into somebody who came since': {
    happens: async ({ hidden }) => {
      const late = `1777${hidden.slice(4).replace('@lid', '@c.us')}`;
      await person.send(late, 'Is this you?');
      await person.join({ phone: late, hidden });
    },
  },
};

async function startOver(): Promise<void> {
  for (const table of ['messageVersion', 'handover', 'aiTurn', 'memory', 'message', 'mergeMove'] as const)
    await deleteRows(database, table);
  await changeRows(database, 'conversation', { unfinishedMerge: null });
  await deleteRows(database, 'contactMerge');
}

/** Its steps: before each page is read, and before what was read is recorded. */
describe('an export', () => {
  for (const [name, { before, happens }] of Object.entries(SCENES))
    it(`has every row once, with its person, with ${name} between any two steps`, async () => {
      // If nothing happens, a few steps say as much as all of them.
      await atEachStep(howMany({ few: 5, all: name === 'nothing' ? 5 : 1_000 }), async (at) => {
        await startOver();
        const two = await twoWhoWrote(database, sessionId);
        await fill(two);
        await before?.(two);
        const steps = new Steps(at, () => happens(two));
        const file = await rowsOfFile(await exports(steps));
        const made = { ...madeOf(OF_PHONE, two.phone), ...madeOf(OF_HIDDEN, two.hidden) };
        expect([at, whose(file, [two.phone, two.hidden])]).toEqual([at, made]);
        expect([at, twice(file)]).toEqual([at, []]);
        return steps;
      });
    });

  it('keeps a message of the history that it has read, and that became live before its person was moved', async () => {
    const made = async (at: number): Promise<number> => {
      await startOver();
      const two = await twoWhoWrote(database, sessionId);
      await fill(two);
      const networkId = `PAST${two.a}`;
      const timestamp = Math.floor(Date.now() / 1_000) - 60;
      const message = aNetworkMessage({ networkId, chatId: two.phone, body: two.phone, timestamp });
      const conversation = { id: two.a, contactId: two.into, chatId: two.phone };
      await database.transaction((tx) => importMessages(tx, session, conversation, { messages: [message] }));
      const steps = new Steps(at, async () => {
        await database.transaction((tx) =>
          applyNetworkEvent(tx, session, { kind: 'message', key: `message:${networkId}`, message }),
        );
        await person.join(two);
      });
      const file = await rowsOfFile(await exports(steps));
      const expected = { ...madeOf(OF_PHONE + 1, two.phone), ...madeOf(OF_HIDDEN, two.hidden) };
      expect([at, whose(file, [two.phone, two.hidden])]).toEqual([at, expected]);
      return steps.taken;
    };
    // The last three steps read the people, find that none was moved, and end the export.
    const taken = await made(Number.POSITIVE_INFINITY);
    expect(await made(taken - 3)).toBeGreaterThan(taken);
  });

  it('is read in with each person as the file says, when a merge ended in the middle of it', async () => {
    const dashboard = { dashboardName: 'Other', dashboardUrl: 'http://127.0.0.1:9/', webhookSecret: 'x'.repeat(40) };
    await other.transaction((tx) => registerAgency(tx, { agencyId: SCOPE.agencyId, ...dashboard }, { keyId: 'psk' }));
    const tables = [...EXPORTED.map(({ table }) => table), 'merge_move', 'tenant_import', 'erased_pepper'] as const;
    await atEachStep(howMany({ few: 4, all: 8 }), async (at) => {
      await emptyTables(other, ...tables);
      await startOver();
      const two = await twoWhoWrote(database, sessionId);
      await fill(two);
      await merged(two);
      const steps = new Steps(at, () => person.unmerge(two.from));
      const exportId = await exports(steps);
      await using archive = await openArchive(await written(exportId));
      const done = await importTenant({ database: other, store }, archive, SCOPE);
      expect([at, done.leftOut, done.counts]).toEqual([at, {}, done.manifest.counts]);
      const made = { ...madeOf(OF_PHONE, two.phone), ...madeOf(OF_HIDDEN, two.hidden) };
      expect([at, await whoseRows(other, [two.phone, two.hidden])]).toEqual([at, made]);
      return steps;
    });
  });
});
