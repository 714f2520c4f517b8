import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addUpStorage } from '../../../db/media/storage.ts';
import { startApiOn } from '../../support/api.ts';
import type { RunningApi } from '../../support/api.ts';
import { call } from '../../support/client.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { takeDatabase } from '../../support/servers.ts';
import { aSender, somebody } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const KIB = 1_024;

let directory: string;
let databaseUrl: string;
let api: RunningApi;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'storage-test-'));
  databaseUrl = await takeDatabase();
  api = await startApiOn(databaseUrl, 'storage-api', directory);
});
afterAll(async () => {
  await api.close();
  await rm(directory, { recursive: true });
});

const aFile = (kibibytes: number): Buffer<ArrayBuffer> => randomBytes(kibibytes * KIB);

const upload = (sender: Sender, file: Buffer<ArrayBuffer>, at = api) =>
  call(at, 'POST', '/api/v1/files', { key: sender.scopedKey, file });

const limit = (agencyId: string, body: object) =>
  call(api, 'PATCH', `/api/v1/admin/dashboards/${agencyId}/limits`, { key: MASTER_KEY, body });

async function storageOf(sender: Sender): Promise<unknown> {
  return (await sender.get('/api/v1/tenants/t1/usage')).body['storage'];
}

const sendOf = (sender: Sender, attachment: object, more: object = {}) =>
  sender.post('/api/v1/messages/send', {
    to: somebody(),
    attachments: [{ kind: 'document', ...attachment }],
    ...more,
  });

describe('the ceiling of stored bytes', () => {
  it('of an agency shows in its limits what all its tenants have stored', async () => {
    const sender = await aSender(api, 'shown');
    const stored = async () => {
      // The clean-up does this now and then.
      await api.database.transaction((tx) => addUpStorage(tx, 100));
      const path = '/api/v1/admin/dashboards/shown/limits';
      return (await call(api, 'GET', path, { key: MASTER_KEY })).body['storedBytes'];
    };
    expect(await stored()).toBe(0);
    expect((await upload(sender, aFile(30))).status).toBe(201);
    const second = await call(api, 'PUT', '/api/v1/tenants/t2/settings', { key: sender.dashboardKey, body: {} });
    expect(second.status).toBe(200);
    const path = '/api/v1/files?tenantId=t2';
    expect((await call(api, 'POST', path, { key: sender.dashboardKey, file: aFile(12) })).status).toBe(201);
    expect(await stored()).toBe(42 * KIB);
  });

  it('refuses what a tenant has no room for, with what to do, and shows it in its usage', async () => {
    const sender = await aSender(api, 'full');
    await limit('full', { tenantStorageBytes: 100 * KIB });
    const file = aFile(60);
    expect((await upload(sender, file)).status).toBe(201);
    const refused = await upload(sender, aFile(60));
    expect(refused).toMatchObject({ status: 429, body: { code: 'storage_limit' } });
    expect(refused.body['detail']).toMatch(/^The tenant .* mediaRetentionDays/);
    const used = { usedBytes: 60 * KIB, limitBytes: 100 * KIB, waitingUploadBytes: 60 * KIB, exportBytes: 0 };
    expect(await storageOf(sender)).toEqual(used);
    // The bytes that it has already take no more room.
    expect((await upload(sender, file)).status).toBe(201);
    expect(await storageOf(sender)).toEqual(used);
    expect((await upload(sender, aFile(40))).status).toBe(201);
    await limit('full', { tenantStorageBytes: 200 * KIB });
    expect((await upload(sender, aFile(60))).status).toBe(201);
  });

  it('counts all tenants of an agency together, and leaves other agencies alone', async () => {
    const [sender, other] = [await aSender(api, 'agency-full'), await aSender(api, 'agency-free')];
    await limit('agency-full', { storageBytes: 100 * KIB });
    await call(api, 'PUT', '/api/v1/tenants/t2/settings', { key: sender.dashboardKey, body: { country: 'DE' } });
    const ofSecond = { key: sender.dashboardKey, file: aFile(60) };
    expect((await call(api, 'POST', '/api/v1/files?tenantId=t2', ofSecond)).status).toBe(201);
    const refused = await upload(sender, aFile(60));
    expect(refused).toMatchObject({ status: 429, body: { code: 'storage_limit' } });
    expect(refused.body['detail']).toMatch(/^The agency /);
    expect((await upload(other, aFile(60))).status).toBe(201);
    const limits = await call(api, 'GET', '/api/v1/admin/dashboards/agency-full/limits', { key: MASTER_KEY });
    expect(limits.body).toMatchObject({ own: { storageBytes: 100 * KIB } });
  });

  it('counts files in bodies, of scheduled messages, too, and a file once for all its messages', async () => {
    const sender = await aSender(api, 'bodies');
    await limit('bodies', { tenantStorageBytes: 100 * KIB });
    const data = aFile(60).toString('base64');
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    expect(await sendOf(sender, { data }, { sendAt })).toMatchObject({ status: 202 });
    expect((await sendOf(sender, { data })).status).toBe(202);
    expect(await storageOf(sender)).toMatchObject({ usedBytes: 60 * KIB });
    expect(await sendOf(sender, { data: aFile(60).toString('base64') })).toMatchObject({
      status: 429,
      body: { code: 'storage_limit' },
    });
  });

  it('is not passed by uploads that come at the same time', async () => {
    const sender = await aSender(api, 'race');
    await limit('race', { tenantStorageBytes: 100 * KIB });
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(sender, aFile(40))));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '201', '429', '429']);
    expect(await storageOf(sender)).toMatchObject({ usedBytes: 80 * KIB });
  });

  it('refuses an export while nothing is left', async () => {
    const sender = await aSender(api, 'exporter');
    await limit('exporter', { tenantStorageBytes: 60 * KIB });
    expect((await upload(sender, aFile(60))).status).toBe(201);
    const ask = () => call(api, 'POST', '/api/v1/tenants/t1/exports', { key: sender.dashboardKey, body: {} });
    expect(await ask()).toMatchObject({ status: 429, body: { code: 'storage_limit' } });
    await limit('exporter', { tenantStorageBytes: null });
    expect((await ask()).status).toBe(202);
  });
});

describe('a disk that is almost full', () => {
  it('takes no upload and no file in a body', async () => {
    const sender = await aSender(api, 'disk');
    // No disk is free as a whole.
    const almostFull = await startApiOn(databaseUrl, 'full-disk-api', directory, { STORAGE_MIN_FREE_PERCENT: '100' });
    try {
      const refused = await upload(sender, aFile(1), almostFull);
      expect(refused).toMatchObject({ status: 507, body: { code: 'disk_low' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const body = { to: somebody(), attachments: [{ kind: 'document', data: aFile(1).toString('base64') }] };
      const sent = await call(almostFull, 'POST', '/api/v1/messages/send', { key: sender.scopedKey, body });
      expect(sent).toMatchObject({ status: 507, body: { code: 'disk_low' } });
    } finally {
      await almostFull.close();
    }
    expect(await storageOf(sender)).toMatchObject({ usedBytes: 0 });
    expect((await upload(sender, aFile(1))).status).toBe(201);
  });
});

it('names the same upload by the same id', async () => {
  const sender = await aSender(api, 'named');
  const file = aFile(1);
  const [one, again] = [await upload(sender, file), await upload(sender, file)];
  expect(one.body['id']).toMatch(/^upl_[0-9a-f]{32}$/);
  expect(again.body['id']).toBe(one.body['id']);
  expect(one.body['sha256']).toBe(createHash('sha256').update(file).digest('hex'));
});
