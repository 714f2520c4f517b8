import { describe, expect, it } from '@jest/globals';
import { setDefault } from '../../../db/automations/agency-default.ts';
import { followAgency, listAutomations } from '../../../db/automations/automation.ts';
import { lockDefaults } from '../../../db/automations/lock-defaults.ts';
import { beginImport, lockImport, recordImport } from '../../../db/personal-data/import/import.ts';
import { ensureTenant } from '../../../db/tenants/tenant.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const { database } = await databaseOfThisFile();
const { agencyId } = SCOPE;
const imported = { agencyId, tenantId: 'imported' };

const set = (definition: string, params: object) =>
  database.transaction(async (tx) => {
    await lockDefaults(tx, agencyId);
    const trigger = { event: 'unread', forMinutes: 5 } as const;
    return setDefault(tx, agencyId, {
      definition,
      enabled: true,
      params: { texts: {}, ...params },
      trigger,
      keyId: 'key',
    });
  });
const automationsOf = async (tenantId: string) =>
  (await database.read((queries) => listAutomations(queries, { agencyId, tenantId }))).map(
    ({ definition, enabled, followsAgency, params }) => ({ definition, enabled, followsAgency, params }),
  );

describe("an agency's default", () => {
  it('begins nothing for a tenant before, while and after it is imported, until somebody says so', async () => {
    await set('before', {});
    await database.transaction((tx) => beginImport(tx, imported, { chain: 'file', sessions: [] }));
    await set('while', {});
    expect(await automationsOf('imported')).toEqual([]);

    await database.transaction(async (tx) => {
      const known = await lockImport(tx, imported);
      if (!known) throw new Error('The import is not there.');
      await recordImport(tx, imported, { known, position: 1, isEnd: true });
    });
    await set('while', { changed: true });
    const off = { enabled: false, followsAgency: false, params: { texts: {} } };
    expect(await automationsOf('imported')).toEqual([
      { definition: 'before', ...off },
      { definition: 'while', ...off },
    ]);

    await database.transaction((tx) => followAgency(tx, imported, { definition: 'while', keyId: 'key' }));
    expect((await automationsOf('imported'))[1]).toEqual({
      definition: 'while',
      enabled: true,
      followsAgency: true,
      params: { texts: {}, changed: true },
    });
  });

  it('is given to a tenant without a row of it that asks for it, and what nobody has set is not', async () => {
    const tenant = { agencyId, tenantId: 'half' };
    await database.transaction((tx) => beginImport(tx, tenant, { chain: 'other', sessions: [] }));
    const given = await database.transaction((tx) => followAgency(tx, tenant, { definition: 'before', keyId: 'key' }));
    expect(given).toMatchObject({ enabled: true, followsAgency: true, version: 1 });
    const unknown = { definition: 'unheard-of', keyId: 'key' };
    expect(await database.transaction((tx) => followAgency(tx, tenant, unknown))).toBeUndefined();
  });

  it('reaches each new tenant once, however many are made while it is set', async () => {
    const tenants = Array.from({ length: 6 }, (_, index) => ({ agencyId, tenantId: `new-${String(index)}` }));
    await Promise.all([
      set('meanwhile', {}),
      ...tenants.map((tenant) => database.transaction((tx) => ensureTenant(tx, tenant))),
    ]);
    for (const { tenantId } of tenants) {
      const names = (await automationsOf(tenantId)).map(({ definition }) => definition);
      expect(names).toEqual(['before', 'meanwhile', 'while']);
    }
  });
});
