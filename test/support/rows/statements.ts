import { CamelCasePlugin, sql } from 'kysely';
import type { Insertable, Kysely, RawBuilder, SelectType, UpdateType } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { eventually } from '../eventually.ts';
import type { Tables } from './tables.ts';
import { Computed, Condition, JsonText } from './values.ts';

/** A database, or a transaction on it. */
export type Held = Database | { sql: Kysely<unknown> };

export type Table = keyof Tables;
export type Column<T extends Table> = keyof Tables[T] & string;
/** For each column one value, a list of those that it may have, or a condition such as `not(null)`. No row fits `undefined`. */
export type Where<T extends Table> = {
  [C in Column<T>]?:
    UpdateType<Tables[T][C]> | readonly (UpdateType<Tables[T][C]> | undefined)[] | Condition | null | undefined;
};
type Values<T extends Table> = { [C in Column<T>]?: UpdateType<Tables[T][C]> | Computed };
export type NewRow<T extends Table> = { [C in keyof Insertable<Tables[T]>]: Insertable<Tables[T]>[C] | Computed };
/** The columns to read, or names for them. */
type Chosen<T extends Table> = readonly Column<T>[] | Readonly<Record<string, Column<T>>>;
type Picked<T extends Table, S> = S extends readonly (infer C)[]
  ? { [N in C & Column<T>]: SelectType<Tables[T][N]> }
  : { [N in keyof S]: SelectType<Tables[T][S[N] & Column<T>]> };
type Order<T extends Table> = Column<T> | readonly Column<T>[] | { newestFirst: Column<T> };

/** A column holds the id, or another column, of a row of that table. */
export function among<T extends Table>(table: T, where: Where<T>, column: Column<T> | 'id' = 'id'): Condition {
  return new Condition((own) => sql`${own} in (select ${ref(column)} from ${name(table)}${fitting(where)})`);
}

/** Reads rows: those that fit, of each the columns that are named, in that order. */
export async function findRows<T extends Table, const S extends Chosen<T> = readonly Column<T>[]>(
  held: Held,
  table: T,
  where: Where<T> = {},
  columns?: S,
  order?: Order<T>,
): Promise<Picked<T, S>[]> {
  const list = columns === undefined ? sql`*` : sql.join(Object.entries(named(columns)).map(selected));
  return run(held, sql<Picked<T, S>>`select ${list} from ${name(table)}${fitting(where)}${ordered(order)}`);
}

/** Reads the only row that fits. */
export async function findRow<T extends Table, const S extends Chosen<T> = readonly Column<T>[]>(
  held: Held,
  table: T,
  where: Where<T> = {},
  columns?: S,
): Promise<Picked<T, S>> {
  const [row, ...more] = await findRows(held, table, where, columns);
  if (row === undefined || more.length > 0) throw new Error(`${more.length + (row ? 1 : 0)} rows of ${table} fit.`);
  return row;
}

export async function countRows<T extends Table>(held: Held, table: T, where: Where<T> = {}): Promise<number> {
  const [row] = await run(held, sql<{ n: number }>`select count(*)::int as n from ${name(table)}${fitting(where)}`);
  return row?.n ?? 0;
}

/** Waits until that many rows fit. */
export async function untilCount<T extends Table>(
  held: Held,
  table: T,
  where: Where<T> = {},
  wanted = 1,
): Promise<void> {
  await eventually(async () => (await countRows(held, table, where)) === wanted, {
    what: `${wanted} rows of ${table}`,
  });
}

/** Sets columns of the rows that fit; answers how many did. */
export async function changeRows<T extends Table>(
  held: Held,
  table: T,
  values: Values<T>,
  where: Where<T> = {},
): Promise<number> {
  const set = sql.join(
    Object.entries(values).map(([column, value]) => sql`${ref(column)} = ${valueOf(column, value)}`),
  );
  const changed = await run(held, sql`update ${name(table)} set ${set}${fitting(where)} returning 1`);
  return changed.length;
}

/** Deletes the rows that fit; answers how many did. */
export async function deleteRows<T extends Table>(held: Held, table: T, where: Where<T> = {}): Promise<number> {
  return (await run(held, sql`delete from ${name(table)}${fitting(where)} returning 1`)).length;
}

export async function addRow<T extends Table>(held: Held, table: T, ...rows: NewRow<T>[]): Promise<void> {
  for (const row of rows) await run(held, insertion(table, [row]));
}

/** Adds the row, unless it is there. */
export async function ensureRow<T extends Table>(held: Held, table: T, row: NewRow<T>): Promise<void> {
  await run(held, sql`${insertion(table, [row])} on conflict do nothing`);
}

/** The rows that one statement of `addRows` writes: far fewer values than PostgreSQL takes in one. */
const AT_ONCE = 1_000;

/** Adds rows that are alike: as many as that, made from 1, 2 and so on. */
export async function addRows<T extends Table>(
  held: Held,
  table: T,
  count: number,
  make: (n: number) => NewRow<T>,
): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - done);
    await run(
      held,
      insertion(
        table,
        Array.from({ length: size }, (_, index) => make(done + index + 1)),
      ),
    );
  }
}

function insertion<T extends Table>(table: T, made: readonly NewRow<T>[]): RawBuilder<unknown> {
  const rows = made.map((row) => new Map<string, unknown>(Object.entries(row)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const values = rows.map(
    (row) => sql`(${sql.join(columns.map((column) => valueOrDefault(column, row.get(column))))})`,
  );
  return sql`insert into ${name(table)} (${sql.join(columns.map(ref))}) values ${sql.join(values)}`;
}

const valueOrDefault = (column: string, value: unknown): RawBuilder<unknown> =>
  value === undefined ? sql`default` : valueOf(column, value);

/** Tests name columns as the engine's code does: `chatId` is the column `chat_id`. */
const CAMEL_CASE = new CamelCasePlugin({ maintainNestedObjectKeys: true, underscoreBeforeDigits: false });

export async function run<R>(held: Held, statement: RawBuilder<R>): Promise<R[]> {
  if ('read' in held) return held.read((queries) => run(queries, statement));
  return (await statement.execute(held.sql.withPlugin(CAMEL_CASE))).rows;
}

const ref = (column: string): RawBuilder<unknown> => sql.ref(column);
const name = (table: string): RawBuilder<unknown> => sql.table(table);

function named(columns: readonly string[] | Readonly<Record<string, string>>): Record<string, string> {
  return columns instanceof Array ? Object.fromEntries(columns.map((column) => [column, column])) : { ...columns };
}

const selected = ([as, column]: [string, string]): RawBuilder<unknown> => sql`${ref(column)} as ${sql.id(as)}`;

function ordered(order: string | readonly string[] | { newestFirst: string } | undefined): RawBuilder<unknown> {
  if (order === undefined) return sql``;
  if (typeof order === 'object' && 'newestFirst' in order) return sql` order by ${ref(order.newestFirst)} desc`;
  const columns = typeof order === 'string' ? [order] : order;
  return sql` order by ${sql.join(columns.map(ref))}`;
}

function valueOf(column: string, value: unknown): RawBuilder<unknown> {
  if (value instanceof Computed) return value.from(ref(column));
  if (value instanceof JsonText) return sql`${value.text}::jsonb`;
  return sql`${value}`;
}

export function fitting(where: object): RawBuilder<unknown> {
  const conditions = Object.entries(where).map(([column, wanted]) => condition(ref(column), wanted));
  return conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`;
}

function condition(column: RawBuilder<unknown>, wanted: unknown): RawBuilder<unknown> {
  if (wanted instanceof Condition) return wanted.on(column);
  if (wanted === null) return sql`${column} is null`;
  if (wanted === undefined) return sql`false`;
  return Array.isArray(wanted) ? sql`${column} = any(${wanted})` : sql`${column} = ${wanted}`;
}
