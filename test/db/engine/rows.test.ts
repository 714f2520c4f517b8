import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Timestamp } from '../../../db/engine/columns.ts';
import type { Database } from '../../../db/engine/database.ts';
import { one, row, rows, run } from '../../../db/engine/rows.ts';
import { aDatabase } from '../a-database.ts';

const Person = z.object({ name: z.string(), seenAt: Timestamp.nullable() });
const Count = z.object({ n: z.int() });

describe('rows: what the database answers is held to a schema', () => {
  let database: Database;

  beforeAll(async () => {
    database = await aDatabase();
  });

  afterAll(() => database.close());

  it('gives the reader values of the types that the schema says', async () => {
    const found = await database.read(
      (queries) => rows(queries, Person)`
        select * from (values ('Ana', timestamptz '2026-03-04 05:06:07.089+02'), ('Bo', null)) as p(name, "seenAt")`,
    );
    expect(found).toEqual([
      { name: 'Ana', seenAt: new Date('2026-03-04T03:06:07.089Z') },
      { name: 'Bo', seenAt: null },
    ]);
  });

  it('gives the reader of one row the first, or undefined', async () => {
    const found = await database.read(async (queries) => [
      await row(queries, Count)`select n from generate_series(4, 9) as n`,
      await row(queries, Count)`select 1 as n where false`,
    ]);
    expect(found).toEqual([{ n: 4 }, undefined]);
  });

  it('refuses to give the reader of the one row that there is none', async () => {
    const none = database.read((queries) => one(queries, Count)`select 1 as n where ${false}`);
    await expect(none).rejects.toThrow('No row was answered. Mend the statement: select 1 as n where ?');
  });

  it('tells the developer of a wrong row its statement and column, and nothing that the row holds', async () => {
    const wrong = database.read(
      (queries) => rows(queries, Person)`
        select ${'Ana Secret'} as full_name,
          ${'+1555000'} as "seenAt"`,
    );
    const error = await wrong.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toBe(
      'Error: A row differs from its schema in "name" (invalid_type, expected string), "seenAt" (invalid_type, expected date). ' +
        'Mend the statement or the schema: select $1 as full_name, $2 as "seenAt"',
    );
    expect(error).not.toHaveProperty('cause');
  });

  it('refuses a count that is a bigint where a number was promised', async () => {
    const counted = database.read((queries) => row(queries, Count)`select count(*) as n from generate_series(1, 3)`);
    await expect(counted).rejects.toThrow('"n" (invalid_type, expected number)');
  });

  it('refuses a time that is none', async () => {
    const forever = database.read(
      (queries) => row(queries, Person)`select 'Ana' as name, timestamptz 'infinity' as "seenAt"`,
    );
    await expect(forever).rejects.toThrow('"seenAt" (invalid_type, expected date)');
  });

  it('tells who runs a statement how many rows it wrote, or found', async () => {
    const counts = await database.transaction(async (tx) => {
      await run(tx)`create temporary table heard (n int) on commit drop`;
      return [
        await run(tx)`insert into heard select generate_series(1, 3)`,
        await run(tx)`update heard set n = n + 1 where n < 3 returning n`,
        await run(tx)`select n from heard where n = 9`,
        await run(tx)`select n from heard where n = 3 for update`,
        await run(tx)`with gone as (delete from heard returning n) insert into heard select 1 where false`,
      ];
    });
    expect(counts).toEqual([3, 2, 0, 2, 0]);
  });
});
