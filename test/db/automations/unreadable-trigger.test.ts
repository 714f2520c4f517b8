import { describe, expect, it } from '@jest/globals';
import { setAutomation } from '../../../db/automations/automation.ts';
import { EnabledAutomations } from '../../../db/automations/enabled.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { changeRows, json } from '../../support/rows.ts';

const { database } = await databaseOfThisFile();

const set = (definition: string) =>
  database.transaction((tx) =>
    setAutomation(tx, SCOPE, {
      definition,
      enabled: true,
      params: { texts: {} },
      trigger: { event: 'message' },
      keyId: 'key',
    }),
  );

describe('an automation whose trigger this release cannot read', () => {
  it('begins nothing, is told of by its id, and leaves the others of its tenant alone', async () => {
    const { id: readableId } = await set('readable');
    const { id } = await set('unreadable');
    await changeRows(database, 'automation', { trigger: json({ event: 'message', newer: true }) }, { id });

    const told: unknown[] = [];
    const known = new EnabledAutomations((error) => told.push(error));
    const byTenant = await database.transaction((tx) => known.of(tx, SCOPE.agencyId, new Set([SCOPE.tenantId])));

    expect(byTenant.get(SCOPE.tenantId)?.map((automation) => automation.id)).toEqual([readableId]);
    expect(told).toEqual([expect.objectContaining({ message: expect.stringContaining(id) })]);
  });
});
