import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { tablesFile } from '../../tools/tables/tables-file.ts';
import { databaseOfThisFile } from './database-of-this-file.ts';

const { database } = await databaseOfThisFile();

describe('the types of the tables, by which tests read and write rows', () => {
  it('are those of a migrated database; else run `npm run tables`', async () => {
    const written = readFileSync(new URL('../support/rows/tables.ts', import.meta.url), 'utf8');
    expect(written).toBe(await tablesFile(database));
  });
});
