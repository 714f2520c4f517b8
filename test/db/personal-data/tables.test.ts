import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { EXPORTED, NOT_EXPORTED } from '../../../db/personal-data/export/tables.ts';
import type { ExportedTable } from '../../../db/personal-data/export/tables.ts';
import { PERSONAL_DATA as TABLES } from '../../../db/personal-data/tables.ts';
import type { Said } from '../../../db/personal-data/tables.ts';
import { rowsOf } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const PERSONAL_DATA: Readonly<Record<string, Said>> = TABLES;

const { database } = await databaseOfThisFile();

/** Types that can hold words or addresses of a person. */
const TELLING = ['text', 'text[]', 'jsonb', 'bytea', 'character varying', 'tsvector'];

const columns = await rowsOf(
  database,
  sql<{ table: string; column: string; type: string }>`
    select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'mikro_orm_migrations'
    order by 1, 2`,
);
const telling = columns.filter(({ type }) => TELLING.includes(type));

describe('what the engine knows of a person', () => {
  it('is said for every table of the database, and for no other', () => {
    expect(Object.keys(PERSONAL_DATA).toSorted()).toEqual([...new Set(columns.map(({ table }) => table))].toSorted());
  });

  it('is said for every column that can hold words, of tables whose rows stay', () => {
    const unsaid = telling.filter(({ table, column }) => {
      const said = PERSONAL_DATA[table];
      return said?.rows === 'stay' && !(column in said.columns);
    });
    expect(unsaid.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
  });

  it('names no column that is not there', () => {
    const known = new Set(columns.map(({ table, column }) => `${table}.${column}`));
    const named = Object.entries(PERSONAL_DATA).flatMap(([table, said]) =>
      said.rows === 'stay' ? Object.keys(said.columns).map((column) => `${table}.${column}`) : [],
    );
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the export of a tenant', () => {
  const exported: readonly ExportedTable[] = EXPORTED;

  it('says of every table whether it has it, and why not', () => {
    const said = [...exported.map(({ table }) => table), ...Object.keys(NOT_EXPORTED)];
    expect(said.toSorted((a, b) => a.localeCompare(b))).toEqual(
      [...new Set(columns.map(({ table }) => table))].toSorted((a, b) => a.localeCompare(b)),
    );
  });

  it('has no column that holds what is sealed, and leaves out none that is not there', () => {
    const tables = new Map<string, ExportedTable>(exported.map((table) => [table.table, table]));
    const sealed = columns.filter(({ table, column, type }) => {
      const found = tables.get(table);
      // The digest of an erased address is keyed, and nothing opens it.
      if (!found || type !== 'bytea' || `${table}.${column}` === 'erased_address.digest') return false;
      return found.only ? found.only.includes(column) : !(found.without ?? []).includes(column);
    });
    expect(sealed).toEqual([]);
    const known = new Set(columns.map(({ table, column }) => `${table}.${column}`));
    const named = exported.flatMap(({ table, only = [], without = [] }) =>
      [...only, ...without].map((column) => `${table}.${column}`),
    );
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
