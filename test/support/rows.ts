import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../db/database.ts';
import { eventually } from './eventually.ts';

/*
 * Reads and writes rows, for facts that no route shows. `npm run tables` writes the tables' types, so tsc finds every
 * place that a change of a table concerns.
 */
export { addRow, among, changeRows, countRows, deleteRows, findRow, findRows, untilCount } from './rows/statements.ts';
export type { Where } from './rows/statements.ts';
export { toldEvents, toldPayloads, toldStatuses } from './rows/events.ts';
export {
  above,
  ago,
  atLeast,
  atMost,
  below,
  databaseNow,
  earlier,
  filled,
  fromColumn,
  fromNow,
  has,
  json,
  later,
  like,
  not,
  plus,
} from './rows/values.ts';

/** Runs a statement, for a test that is about SQL itself: a plan, a function, a lock. */
export async function rowsOf<T>(database: Database, query: RawBuilder<T>): Promise<T[]> {
  return database.read(async (queries) => (await query.execute(queries.sql)).rows);
}

export async function countOf(database: Database, from: RawBuilder<unknown>): Promise<number> {
  const rows = await rowsOf(database, sql<{ n: number }>`select count(*)::int as n from ${from}`);
  return rows[0]?.n ?? 0;
}

/** Waits until a statement of the process waits for a lock, or that many do. */
export async function untilBlocked(database: Database, applicationName: string, wanted = 1): Promise<void> {
  const blocked = sql`pg_stat_activity where application_name = ${applicationName} and wait_event_type = 'Lock'`;
  await eventually(async () => (await countOf(database, blocked)) >= wanted, { what: `${wanted} statements to wait` });
}

/** Waits until there are that many rows. */
export async function untilRows(database: Database, from: RawBuilder<unknown>, wanted = 1): Promise<void> {
  await eventually(async () => (await countOf(database, from)) === wanted, { what: `${wanted} rows` });
}
