import { createHash } from 'node:crypto';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createDirectoryStore } from '../../../adapters/media-store/directory.ts';
import { withHolds } from '../../../activities/media/held.ts';
import { openArchive } from '../../../activities/personal-data/archive-file.ts';
import { createExportActivities } from '../../../activities/personal-data/export.ts';
import { importTenant } from '../../../activities/personal-data/import.ts';
import { createExportFiles } from '../../../api/personal-data/export-files.ts';
import type { Database } from '../../../db/engine/database.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { beginExport, findExport } from '../../../db/personal-data/export/export.ts';
import { EXPORTED } from '../../../db/personal-data/export/tables.ts';
import type { ExportedTable } from '../../../db/personal-data/export/tables.ts';
import { INSTEAD } from '../../../db/personal-data/import/write-rows.ts';
import { registerAgency } from '../../../db/tenants/agency.ts';
import { TRAILER_BYTES } from '../../../domain/personal-data/archive.ts';
import { aDatabase, SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { addRow, countRows, findRow, findRows, rowsOf } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { fillTenant } from './a-full-tenant.ts';

const MESSAGES = 1_300;
const TARGET = { agencyId: 'elsewhere', tenantId: 'moved' };

const { database, sessionId } = await databaseOfThisFile();
const directory = await mkdtemp(join(tmpdir(), 'export-test-'));
const store = withHolds(database, createDirectoryStore(join(directory, 'media')));
const files = createExportFiles({ database, store });
const other = await aDatabase();
afterAll(async () => {
  await other.close();
  await rm(directory, { recursive: true, force: true });
});

const activities = (stopping: AbortSignal = new AbortController().signal) =>
  createExportActivities({ database, media: { store }, stopping });

async function exported(): Promise<{ id: string; path: string; sizeBytes: number }> {
  const begun = await database.transaction((tx) => beginExport(tx, SCOPE, 'key'));
  const id = begun?.found.id ?? '';
  await inActivity(activities().exportOn, { exportId: id });
  const found = await database.read((queries) => findExport(queries, id));
  expect(found?.endedAt).toBeInstanceOf(Date);
  const sizeBytes = (found?.sizeBytes ?? 0) + TRAILER_BYTES;
  const path = join(directory, `${id}.tar`);
  const file = await open(path, 'w');
  for await (const piece of files.read(id, { first: 0, last: sizeBytes - 1 })) await file.write(piece);
  await file.close();
  return { id, path, sizeBytes };
}

/** The rows of a table as an import should make them: without whose they are, and what an import decides by itself. */
async function rowsIn(of: Database, { table, without = [], only }: ExportedTable): Promise<string[]> {
  const changed = [...Object.keys(INSTEAD[table] ?? {}), ...(table === 'conversation' ? ['updated_at'] : [])];
  const left = ['agency_id', 'tenant_id', ...(table === 'tenant' ? ['id'] : []), ...without, ...changed];
  const found = await rowsOf(
    of,
    sql<{ row: Record<string, unknown> }>`select to_jsonb(t) - ${left}::text[] as row from ${sql.table(table)} t`,
  );
  const kept = (row: Record<string, unknown>) =>
    Object.entries(row).filter(([name]) => only === undefined || only.includes(name));
  return found.map(({ row }) => JSON.stringify(kept(row))).toSorted();
}

/** The rows that only one of the two has; comparing all would fill the screen with thousands. */
async function differencesIn(table: ExportedTable): Promise<string[]> {
  const [here, there] = [await rowsIn(database, table), await rowsIn(other, table)];
  const [known, taken] = [new Set(here), new Set(there)];
  return [...here.filter((row) => !taken.has(row)), ...there.filter((row) => !known.has(row))].slice(0, 2);
}

describe('a tenant that is exported', () => {
  let archive: Awaited<ReturnType<typeof exported>>;

  beforeAll(async () => {
    await fillTenant(database, { store, sessionId, messages: MESSAGES });
    await other.transaction(async (tx) => {
      const dashboard = { dashboardName: 'Other', dashboardUrl: 'http://127.0.0.1:9/', webhookSecret: 'x'.repeat(40) };
      await registerAgency(tx, { agencyId: TARGET.agencyId, ...dashboard }, { keyId: 'psk' });
    });
    archive = await exported();
  });

  it('is in the file once, with every kind of row and each file, and the same bytes come in pieces', async () => {
    const found = await database.read((queries) => findExport(queries, archive.id));
    expect(found?.counts).toMatchObject({
      message: MESSAGES + 1,
      message_history: MESSAGES,
      'conversation.merged_into': 1,
    });
    expect(Object.keys(found?.counts ?? {})).toEqual(expect.arrayContaining(EXPORTED.map(({ table }) => table)));
    expect(found).toMatchObject({ files: 2, missingFiles: 0 });
    const whole = await readFile(archive.path);
    expect(whole.length).toBe(archive.sizeBytes);
    const digest = createHash('sha256');
    for (let first = 0; first < whole.length; first += 99_991) {
      const last = Math.min(first + 99_990, whole.length - 1);
      for await (const piece of files.read(archive.id, { first, last })) digest.update(piece);
    }
    expect(digest.digest('hex')).toBe(createHash('sha256').update(whole).digest('hex'));
  });

  it('holds no secret and nothing of another tenant', async () => {
    const text = (await readFile(archive.path)).toString('latin1');
    for (const word of ['x'.repeat(40), 'sealed', 'secret', 'key_id', SCOPE.agencyId + '"'])
      expect(text).not.toContain(word);
  });

  it('is not read in when the file is cut off or one byte of it is changed, and nothing is written', async () => {
    const whole = await readFile(archive.path);
    const broken = join(directory, 'broken.tar');
    const places = [600, Math.floor(whole.length / 2), whole.length - TRAILER_BYTES - 300];
    const changes = places.map((at) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    });
    for (const bytes of [...changes, whole.subarray(0, whole.length - 1), whole.subarray(0, whole.length / 2)]) {
      await writeFile(broken, bytes);
      await using file = await openArchive(broken);
      await expect(importTenant({ database: other, store }, file, TARGET)).rejects.toThrow(/changed|cut off|no end/);
    }
    expect(await countRows(other, 'tenant')).toBe(0);
  });

  it('is in an empty engine as it was, though the import was stopped in the middle', async () => {
    await using file = await openArchive(archive.path);
    let puts = 0;
    const failing = {
      put: async (...put: Parameters<typeof store.put>) => {
        puts += 1;
        if (puts === 2) throw new Error('The process ends here.');
        return store.put(...put);
      },
    };
    await expect(importTenant({ database: other, store: failing }, file, TARGET)).rejects.toThrow('ends here');
    expect(await countRows(other, 'contact')).toBeGreaterThan(0);
    const done = await importTenant({ database: other, store }, file, TARGET);
    expect(done.leftOut).toEqual({});
    expect(done.counts).toEqual(done.manifest.counts);
    for (const table of EXPORTED) expect({ [table.table]: await differencesIn(table) }).toEqual({ [table.table]: [] });
    const waited = await findRow(other, 'message', { id: 'msg_waits' }, ['status', 'errorCode']);
    expect(waited).toEqual({ status: 'cancelled', errorCode: 'imported' });
    const keys = await rowsOf(
      other,
      sql<{ key: string }>`select distinct media->'stored'->>'key' as key from message where media is not null`,
    );
    expect(keys.map(({ key }) => key.slice(0, key.indexOf('/')))).toEqual([TARGET.agencyId]);
    expect(await store.get(keys[0]?.key ?? '')).not.toBeNull();
    expect(await importTenant({ database: other, store }, file, TARGET)).toMatchObject({ counts: done.counts });
  });

  it('keeps apart there whom somebody has taken apart here, and no others', async () => {
    const has = async (chatId: string) =>
      (await findRows(other, 'contactAlias', { chatId }, ['contactId']))[0]?.contactId;
    const areNamedAsOne = async (chatId: string, alias: string) => {
      await other.transaction(async (tx) => {
        await ensureConversation(tx, { ...TARGET, sessionId }, { chatId, aliases: [alias], networkId: 'BOTH' });
      });
      return [await has(chatId), await has(alias)];
    };
    // The row of the undone merge names these addresses.
    const added = { agencyId: TARGET.agencyId, tenantId: TARGET.tenantId };
    await addRow(other, 'contactAlias', { ...added, chatId: '5@lid', contactId: 'con_5' });
    await addRow(other, 'contactAlias', { ...added, chatId: '6@c.us', contactId: 'con_6' });
    expect(await areNamedAsOne('5@lid', '6@c.us')).toEqual(['con_5', 'con_6']);
    const [one, two] = await areNamedAsOne('1555007@c.us', '1555008@c.us');
    expect(one).toBe(two);
  });

  it('is refused by the engine that has it, and by a tenant that has rows', async () => {
    await using file = await openArchive(archive.path);
    await expect(importTenant({ database, store }, file, { ...SCOPE, tenantId: 't2' })).rejects.toThrow(
      'another engine',
    );
    await expect(importTenant({ database, store }, file, SCOPE)).rejects.toThrow('has rows already');
  });
});

describe('exportOn: an export', () => {
  it('goes on where another process stopped, and writes each part once when two work at it', async () => {
    const begun = await database.transaction((tx) => beginExport(tx, SCOPE, 'key'));
    const exportId = begun?.found.id ?? '';
    const stopping = new AbortController();
    const reads: number[] = [];
    const halting = createExportActivities({
      database,
      media: {
        store: {
          ...store,
          put: async (...put) => {
            await store.put(...put);
            reads.push(1);
            if (reads.length === 3) stopping.abort();
          },
        },
      },
      stopping: stopping.signal,
    });
    expect(await inActivity(halting.exportOn, { exportId })).toMatchObject({ isOver: false });
    const rounds = await Promise.all([1, 2].map(() => inActivity(activities().exportOn, { exportId })));
    expect(rounds.map(({ isOver }) => isOver)).toEqual([true, true]);
    const found = await database.read((queries) => findExport(queries, exportId));
    expect(found?.counts).toMatchObject({ message: MESSAGES + 1, contact: 620 });
  });
});
