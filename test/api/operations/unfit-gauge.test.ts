import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerUnfitGauge } from '../../../api/wire/metrics/row-gauges.ts';
import { listUnfitRows } from '../../../db/operations/unfit-rows.ts';
import { changeRows, json } from '../../support/rows.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';

const { database } = await databaseOfThisFile();

async function scraped(): Promise<string | undefined> {
  const registry = new Registry();
  const count = async () => (await database.read(listUnfitRows)).length;
  registerUnfitGauge(registry, count, (error) => {
    throw error;
  });
  return /^engine_unfit_rows (\d+)$/m.exec(await registry.metrics())?.[1];
}

describe('the gauge of stored configuration that cannot be read', () => {
  it('counts what does not fit', async () => {
    expect(await scraped()).toBe('0');
    await changeRows(database, 'tenant', { persona: json({ maxTokens: 'many' }) });
    expect(await scraped()).toBe('1');
  });
});
