import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDirectoryStore } from '../../../adapters/media-store/directory.ts';
import { withHolds } from '../../../activities/media/held.ts';
import { openArchive } from '../../../activities/personal-data/archive-file.ts';
import { createExportActivities } from '../../../activities/personal-data/export.ts';
import { importTenant } from '../../../activities/personal-data/import.ts';
import { createExportFiles } from '../../../api/personal-data/export-files.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { beginExport, findExport } from '../../../db/personal-data/export/export.ts';
import { EXPORTED } from '../../../db/personal-data/export/tables.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { registerAgency } from '../../../db/tenants/agency.ts';
import { TRAILER_BYTES } from '../../../domain/personal-data/archive.ts';
import { aDatabase, SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { howMany } from '../../support/depth.ts';
import { countRows, emptyTables, findRows } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { atEachStep, HAPPENINGS, happeningsOf, never, Steps, twoWhoWrote } from './between-steps.ts';
import type { Two } from './between-steps.ts';
import { fillWith, madeOf, whoseRows } from './whose-rows.ts';

const { database, sessionId } = await databaseOfThisFile();
const directory = await mkdtemp(join(tmpdir(), 'import-test-'));
const store = withHolds(database, createDirectoryStore(join(directory, 'media')));
const other = await aDatabase();
afterAll(async () => {
  await other.close();
  await rm(directory, { recursive: true, force: true });
});

const EACH = 700;
const GROUP = '120363000000000007@g.us';
const TABLES = [...EXPORTED.map(({ table }) => table), 'merge_move', 'tenant_import', 'erased_pepper'] as const;
const file = join(directory, 'export.tar');
let two: Two;

/** Exports the tenant with two people, each with messages of their own that say whose they are. */
beforeAll(async () => {
  two = await twoWhoWrote(database, sessionId);
  for (const [conversationId, chatId] of [
    [two.a, two.phone],
    [two.b, two.hidden],
  ] as const)
    await fillWith(database, { conversationId, words: chatId, messages: EACH });
  const inGroup = await database.transaction((tx) =>
    ensureConversation(tx, { ...SCOPE, sessionId }, { chatId: GROUP }),
  );
  await fillWith(database, { conversationId: inGroup.id, words: GROUP, messages: 5 });
  const begun = await database.transaction((tx) => beginExport(tx, SCOPE, 'key'));
  const id = begun?.found.id ?? '';
  const { exportOn } = createExportActivities({ database, media: { store }, stopping: new AbortController().signal });
  await inActivity(exportOn, { exportId: id });
  const found = await database.read((queries) => findExport(queries, id));
  const last = (found?.sizeBytes ?? 0) + TRAILER_BYTES - 1;
  const written = await open(file, 'w');
  for await (const piece of createExportFiles({ database, store }).read(id, { first: 0, last }))
    await written.write(piece);
  await written.close();
  await other.transaction((tx) =>
    registerAgency(
      tx,
      {
        agencyId: SCOPE.agencyId,
        dashboardName: 'Other',
        dashboardUrl: 'http://127.0.0.1:9/',
        webhookSecret: 'x'.repeat(40),
      },
      { keyId: 'psk' },
    ),
  );
});

/** Imports the file, with a step before each transaction; its process may end before one of them. */
async function imports(steps: Steps, ends = new Steps(Number.POSITIVE_INFINITY, never)) {
  const target = {
    read: other.read.bind(other),
    transaction: async <T>(...[work]: Parameters<typeof other.transaction<T>>): Promise<T> => {
      await steps.next();
      await ends.next();
      return other.transaction(work);
    },
  };
  await using archive = await openArchive(file);
  return await importTenant({ database: target, store }, archive, SCOPE);
}

/** Sends to one address of the tenant into which is imported. */
async function sends(chatId: string): Promise<void> {
  const accepted = await other.transaction((tx) =>
    acceptSend(
      tx,
      { ...SCOPE, sessionId },
      {
        recipient: { chatId },
        parts: [{ kind: 'text', body: chatId }],
        origin: 'api',
        expires: { afterMs: 3_600_000 },
      },
    ),
  );
  expect(accepted.outcome).toBe('accepted');
}

/** Its steps: the begin, and each part of the file. Nothing happens to people who are not there yet. */
describe('an import', () => {
  for (const name of HAPPENINGS)
    it(`has every row once, with its person, with ${name} between any two steps`, async () => {
      await atEachStep(howMany({ few: 4, all: 1_000 }), async (at) => {
        await emptyTables(other, ...TABLES);
        const { before, happens } = happeningsOf(other, sessionId)[name] ?? never();
        const areThere = async (): Promise<boolean> =>
          (await countRows(other, 'conversation', { id: [two.a, two.b] })) === 2;
        const steps = new Steps(at, async () => {
          if (!(await areThere())) return;
          if (before) await happeningsOf(other, sessionId)['a merge']?.happens(two);
          await happens(two);
        });
        const done = await imports(steps);
        expect([at, done]).toMatchObject([at, { endedAt: expect.any(Date), leftOut: {} }]);
        const made = { ...madeOf(EACH, two.phone), ...madeOf(EACH, two.hidden) };
        expect([at, await whoseRows(other, [two.phone, two.hidden])]).toEqual([at, made]);
        return steps;
      });
    });

  for (const name of ['nothing', 'a merge'] as const)
    it(`gives every row to the person to whom something was sent meanwhile, before any of its steps, with ${name} before`, async () => {
      await atEachStep(howMany({ few: 6, all: 1_000 }), async (at) => {
        await emptyTables(other, ...TABLES);
        const steps = new Steps(at, async () => {
          if ((await countRows(other, 'session', { id: sessionId })) === 0) return;
          for (const chatId of [two.hidden, two.phone, GROUP]) await sends(chatId);
          if (name === 'a merge') await happeningsOf(other, sessionId)['a merge']?.happens(two);
        });
        // The first process ends among the messages, and the second one does not know what was made meanwhile.
        const ends = new Steps(10, () => Promise.reject(new Error('The process ends here.')));
        await expect(imports(steps, ends)).rejects.toThrow('ends here');
        const done = await imports(steps);
        const sent = await countRows(other, 'message', { direction: 'out' });
        expect([0, 3]).toContain(sent);
        expect([at, done.leftOut, done.counts]).toEqual([at, {}, done.manifest.counts]);
        const more = sent / 3;
        const made = { ...madeOf(EACH, two.phone), ...madeOf(EACH, two.hidden) };
        for (const chatId of [two.phone, two.hidden]) made[`message ${chatId}`] = EACH + more;
        expect([at, await whoseRows(other, [two.phone, two.hidden])]).toEqual([at, made]);
        expect([at, await whoseRows(other, [GROUP])]).toEqual([
          at,
          { [`message ${GROUP}`]: 5 + more, [`handover ${GROUP}`]: 259, [`ai_turn ${GROUP}`]: 259 },
        ]);
        const said = await findRows(other, 'message', { body: GROUP }, ['conversationId']);
        expect([at, new Set(said.map(({ conversationId }) => conversationId)).size]).toEqual([at, 1]);
        return steps;
      });
    });
});
