import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../db/engine/database.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { eventually } from './eventually.ts';

/*
 * Reads and writes rows, for facts that no route shows. `npm run tables` writes the tables' types, so tsc finds every
 * place that a change of a table concerns.
 */
export {
  addRow,
  addRows,
  among,
  changeRows,
  countRows,
  deleteRows,
  ensureRow,
  findRow,
  findRows,
  untilCount,
} from './rows/statements.ts';
export type { Where } from './rows/statements.ts';
export { refuseRows } from './rows/faults.ts';
export { ensureAutomation } from './rows/automations.ts';
export { addMessage, addMessages } from './rows/messages.ts';
export { toldEvents, toldPayloads, toldStatuses } from './rows/events.ts';
export {
  analyzed,
  booksWritten,
  countBlockedHere,
  databaseName,
  emptyTables,
  lockRows,
  maintainPartitionsAt,
  pagesRead,
  partitionsOf,
  planOf,
  takeTransactionId,
  untilBlockedHere,
  urlOf,
} from './rows/server.ts';
export {
  above,
  ago,
  atLeast,
  atMost,
  below,
  between,
  databaseNow,
  earlier,
  filled,
  fromColumn,
  fromNow,
  has,
  json,
  later,
  like,
  merged,
  not,
  plus,
  putAt,
} from './rows/values.ts';

/** Runs a statement, for a test that is about SQL itself: a plan, a function, a lock. */
export async function rowsOf<T>(database: Database, query: RawBuilder<T>): Promise<T[]> {
  return database.read(async (queries) => (await query.execute(queries.sql)).rows);
}

export async function countOf(database: Database, from: RawBuilder<unknown>): Promise<number> {
  const rows = await rowsOf(database, sql<{ n: number }>`select count(*)::int as n from ${from}`);
  return rows[0]?.n ?? 0;
}

/** True while a statement of the process waits for a lock. */
export async function isBlocked(database: Database, applicationName: string): Promise<boolean> {
  return (await countBlocked(database, applicationName)) > 0;
}

async function countBlocked(database: Database, applicationName: string): Promise<number> {
  return countOf(
    database,
    sql`pg_stat_activity where application_name = ${applicationName} and wait_event_type = 'Lock'`,
  );
}

/** Waits until a statement of the process waits for a lock, or that many do. */
export async function untilBlocked(database: Database, applicationName: string, wanted = 1): Promise<void> {
  await eventually(async () => (await countBlocked(database, applicationName)) >= wanted, {
    what: `${wanted} statements to wait`,
  });
}

/** Lets nobody else read the table until the transaction ends, or in a weaker mode only not write it. */
export async function lockTable(
  tx: Tx,
  table: string,
  mode: 'share' | 'exclusive' | 'access exclusive' = 'access exclusive',
): Promise<void> {
  await sql`lock table ${sql.table(table)} in ${sql.raw(mode)} mode`.execute(tx.sql);
}

/** Answers how many entries of the index the work reads. The planner takes no sequential scan, as on large tables. */
export async function entriesRead(
  database: Database,
  index: string,
  work: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  return database.transaction(async (tx) => {
    await sql`select set_config('enable_seqscan', 'off', true)`.execute(tx.sql);
    await work(tx);
    const read = sql<{ n: number }>`select pg_stat_get_xact_tuples_returned(${index}::text::regclass)::int as n`;
    return (await read.execute(tx.sql)).rows[0]?.n ?? 0;
  });
}

/** Waits until there are that many rows. */
export async function untilRows(database: Database, from: RawBuilder<unknown>, wanted = 1): Promise<void> {
  await eventually(async () => (await countOf(database, from)) === wanted, { what: `${wanted} rows` });
}
