import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createCleanUp } from '../../../db/maintenance.ts';
import { readStorageUse, releaseStorage, reserveStorage, writeStorageCeiling } from '../../../db/media/storage.ts';
import { removeFiles } from '../../../db/media/remove.ts';
import { deleteMessageRows } from '../../../db/conversations/delete-messages.ts';
import { beginExport, endExport, takeBackExport, findExport } from '../../../db/personal-data/export/export.ts';
import { recordParts } from '../../../db/personal-data/export/parts.ts';
import { sweepRetention } from '../../../db/personal-data/retention.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { ago, changeRows, countRows, deleteRows, findRow, findRows, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyChange } from '../../../db/network/changes/change.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { aRevoke } from '../network/message-change.ts';
import { storeFile } from './store-file.ts';

const { database, session } = await databaseOfThisFile();

const DAY_S = 86_400;
const SIZE = 1_000;
let files = 0;
const aKey = (): string => `${SCOPE.agencyId}/${(files += 1).toString(16).padStart(64, '0')}`;

async function used(): Promise<number> {
  return (await database.transaction((tx) => readStorageUse(tx, SCOPE))).usedBytes;
}
const cleanUp = () => createCleanUp(database)();
const reserve = (id: string, key: string, sizeBytes = SIZE) =>
  database.statement((tx) => reserveStorage(tx, { id, scope: SCOPE, key, sizeBytes }));

/** A message whose file has come, as a fetch puts it. */
async function aMessage({ key = aKey(), ageDays = 0 } = {}): Promise<string> {
  files += 1;
  const networkId = `STORAGE${files}`;
  const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - ageDays * DAY_S;
  const media = { url: null, mimeType: 'image/jpeg', fileName: null, error: null };
  const chatId = `1555${8_100_000 + files}@c.us`;
  const message = aNetworkMessage({ networkId, chatId, timestamp, kind: 'image', hasMedia: true, media });
  await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message }));
  const [row] = await findRows(database, 'message', { networkId }, ['id']);
  const id = row?.id ?? '';
  expect(await reserve(`in_${id}`, key)).toBeNull();
  await storeFile(database, session.id, id, { key, sizeBytes: SIZE });
  return id;
}

async function anUpload(keptSeconds = 90_000): Promise<string> {
  const id = `upl_${(files += 1)}`;
  const upload = { maker: 'master', mimeType: 'image/jpeg', keptSeconds };
  const reserved = { id, scope: SCOPE, key: aKey(), sizeBytes: SIZE, upload };
  expect(await database.statement((tx) => reserveStorage(tx, reserved))).toBeNull();
  return id;
}

async function anExport(): Promise<string> {
  const begun = await database.transaction((tx) => beginExport(tx, SCOPE, 'key_none'));
  const id = begun?.found.id ?? '';
  const known = await database.read((queries) => findExport(queries, id));
  if (known === null) throw new Error('The export is not there.');
  const parts = [
    { name: 'rows/1.ndjson', key: aKey(), sha256: 'a'.repeat(64), sizeBytes: SIZE },
    { name: 'files/a.webp', key: `${aKey()}.webp`, sha256: 'b'.repeat(64), sizeBytes: SIZE },
  ];
  const progress = { parts, chain: '', counts: {}, files: 0, missingFiles: 0, next: null };
  await database.transaction((tx) => recordParts(tx, known, progress));
  return id;
}

/** Each makes a file of one size, and ends it. */
const WAYS: Record<string, () => Promise<() => Promise<unknown>>> = {
  'an erasure of the message': async () => {
    const id = await aMessage();
    return () => database.transaction((tx) => deleteMessageRows(tx, [id]));
  },
  'an erasure of the file': async () => {
    const id = await aMessage();
    return () => database.transaction((tx) => removeFiles(tx, [id], 'erased'));
  },
  'the retention of files': async () => {
    await aMessage({ ageDays: 40 });
    return async () => {
      await database.transaction((tx) => updateSettings(tx, SCOPE, { mediaRetentionDays: 30 }));
      await cleanUp();
      await database.transaction((tx) => updateSettings(tx, SCOPE, { mediaRetentionDays: null }));
    };
  },
  'the retention of messages': async () => {
    await aMessage({ ageDays: 400 });
    return async () => {
      await database.transaction((tx) => updateSettings(tx, SCOPE, { messageRetentionDays: 365 }));
      // It goes along the conversations once a day.
      await changeRows(database, 'retentionSweep', { endedAt: null });
      await database.transaction((tx) => sweepRetention(tx, 100));
      await database.transaction((tx) => updateSettings(tx, SCOPE, { messageRetentionDays: null }));
    };
  },
  'a revocation by its sender': async () => {
    const id = await aMessage();
    const [row] = await findRows(database, 'message', { id }, { id: 'networkId' });
    const change = aRevoke(row?.id ?? '');
    return async () => {
      await database.transaction((tx) => updateSettings(tx, SCOPE, { deleteRevokedMedia: true }));
      await database.transaction((tx) => applyChange(tx, session.id, { change, tells: true }));
      await database.transaction((tx) => updateSettings(tx, SCOPE, { deleteRevokedMedia: null }));
    };
  },
  'a put that failed': async () => {
    await reserve('failed-put', aKey());
    return () => database.statement((tx) => releaseStorage(tx, 'failed-put'));
  },
  'a hold that no message took over': async () => {
    await reserve('left', aKey());
    return async () => {
      await changeRows(database, 'fileHold', { heldUntil: ago({ seconds: 1 }) }, { id: 'left' });
      await cleanUp();
    };
  },
  'the expiry of an upload': async () => {
    await anUpload(-10);
    return cleanUp;
  },
  'the expiry of an export': async () => {
    const id = await anExport();
    await database.transaction((tx) => endExport(tx, id, -1));
    return cleanUp;
  },
  'the deletion of an export': async () => {
    const id = await anExport();
    return async () => {
      await database.transaction((tx) => takeBackExport(tx, SCOPE, id));
      await cleanUp();
    };
  },
};

describe('the bytes of a file', () => {
  it.each(Object.entries(WAYS))('come back at %s', async (_way, make) => {
    const before = await used();
    const end = await make();
    expect(await used()).toBe(before + SIZE);
    await end();
    expect(await used()).toBe(before);
  });

  it('count once while any row of the tenant names the file', async () => {
    const before = await used();
    const key = aKey();
    const [one, other] = [await aMessage({ key }), await aMessage({ key })];
    expect(await used()).toBe(before + SIZE);
    await database.transaction((tx) => removeFiles(tx, [one], 'erased'));
    expect(await used()).toBe(before + SIZE);
    await database.transaction((tx) => removeFiles(tx, [other], 'erased'));
    expect(await used()).toBe(before);
  });

  it('are held no longer than until a message names the file, and stay when it moves to another chat', async () => {
    const [id, other] = [await aMessage(), await aMessage()];
    expect(await countRows(database, 'fileHold', { maker: null })).toBe(0);
    const at = await used();
    const chat = await findRow(database, 'message', { id: other }, ['conversationId']);
    await changeRows(database, 'message', chat, { id });
    expect(await used()).toBe(at);
  });

  it('are what the clean-up adds up, and what a count of all rows answers', async () => {
    await aMessage();
    await aMessage();
    await cleanUp();
    expect(await countRows(database, 'storageNote')).toBe(0);
    const [counted] = await rowsOf(
      database,
      sql<{ bytes: number }>`select coalesce(sum(size), 0)::float8 as bytes from (
        select media->'stored'->>'key', max((media->'stored'->>'sizeBytes')::int) as size from message
        where media ? 'stored' group by 1) f`,
    );
    expect(await used()).toBe(counted?.bytes);
  });

  it('are counted at the upgrade as the triggers would have counted them', async () => {
    const key = aKey();
    await aMessage({ key });
    await aMessage({ key });
    await anUpload();
    await anExport();
    await cleanUp();
    const read = () =>
      rowsOf(
        database,
        sql<object>`select f.*, u.size_bytes::text as total from storage_file f
          left join storage_use u on u.agency_id = f.agency_id and u.tenant_id = '' order by f.key`,
      );
    const before = await read();
    expect(before.length).toBeGreaterThan(2);
    const counted = readFileSync(new URL('../../../db/migrations/0100-storage-counted.sql', import.meta.url), 'utf8');
    await database.transaction(async (tx) => {
      await deleteRows(tx, 'storageFile');
      await deleteRows(tx, 'storageUse');
      for (const statement of counted.split(/;\n/).filter((text) => text.trim() !== '')) {
        await sql.raw(statement).execute(tx.sql);
      }
    });
    expect(await read()).toEqual(before);
  });

  it('have no room beyond the ceiling, whoever asks at the same time', async () => {
    const limits = { storageBytes: 0, tenantStorageBytes: (await used()) + 2 * SIZE };
    await database.statement((tx) => writeStorageCeiling(tx, limits));
    const asked = await Promise.all(['r1', 'r2', 'r3', 'r4', 'r5'].map((id) => reserve(id, aKey())));
    expect(asked.filter((full) => full === null)).toHaveLength(2);
    expect(asked.filter((full) => full === 'tenant')).toHaveLength(3);
    await database.statement((tx) => writeStorageCeiling(tx, { storageBytes: 0, tenantStorageBytes: 0 }));
  });
});
