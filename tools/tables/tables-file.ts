import { z } from 'zod';
import type { Database } from '../../db/engine/database.ts';
import { rows } from '../../db/engine/rows.ts';

const Column = z.object({
  table: z.string(),
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  optional: z.boolean(),
});

/** PostgreSQL's types as rows bring them. A type that is missing here stops the generator. */
const TYPES: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'Time',
  bpchar: 'string',
  float4: 'number',
  float8: 'number',
  inet: 'string',
  json: 'Json',
  oid: 'number',
  varchar: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'Big',
  jsonb: 'Json',
  numeric: 'Big',
  text: 'string',
  _float4: 'number[]',
  _float8: 'number[]',
  _int4: 'number[]',
  _int8: 'string[]',
  _text: 'string[]',
  timestamptz: 'Time',
  tsvector: 'string',
  uuid: 'string',
  xid8: 'string',
};
const MAX_COLUMNS = 120;
const END = ' };';

const HEADER = `/* Written by \`npm run tables\`. Do not edit. */

/** A time as PostgreSQL writes it, to the microsecond. */
type Time = ColumnType<string, Date | string, Date | string>;
/** A whole number that may exceed JavaScript's; PostgreSQL's driver reads it as text. */
type Big = ColumnType<string, string | number, string | number>;
type Json = ColumnType<unknown, JsonText, JsonText>;
/** A column with a default. */
type Optional<T> = ColumnType<SelectType<T>, InsertType<T> | undefined, UpdateType<T>>;
`;

const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The file `test/support/rows/tables.ts`: the tables of a migrated database, as types. */
export async function tablesFile(database: Database): Promise<string> {
  const columns = await database.read(
    (queries) => rows(queries, Column)`
      select c.relname as "table", a.attname as name, t.typname as type, not a.attnotnull as nullable,
             (a.atthasdef or a.attidentity <> '') as optional
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      join pg_type t on t.oid = a.atttypid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped
      order by c.relname, a.attnum`,
  );
  const tables = Map.groupBy(columns, ({ table }) => table);
  const lines = [...tables].flatMap(([table, held]) => tableLines(table, held));
  return `import type { ColumnType, InsertType, SelectType, UpdateType } from 'kysely';
import type { JsonText } from './values.ts';

${HEADER}
export interface Tables {
${lines.join('\n')}
}
`;
}

function tableLines(table: string, columns: readonly z.output<typeof Column>[]): string[] {
  const lines: string[] = [];
  let line = `  ${camelCase(table)}: {`;
  for (const column of columns) {
    const part = ` ${camelCase(column.name)}: ${typeOf(column)};`;
    if (line.length + part.length + END.length > MAX_COLUMNS) {
      lines.push(line);
      line = '   ';
    }
    line += part;
  }
  return [...lines, `${line}${END}`];
}

function typeOf({ table, name, type, nullable, optional }: z.output<typeof Column>): string {
  const plain = TYPES[type];
  if (plain === undefined) throw new Error(`${table}.${name} is a ${type}: add the type to TYPES.`);
  const full = nullable ? `${plain} | null` : plain;
  return optional ? `Optional<${full}>` : full;
}
