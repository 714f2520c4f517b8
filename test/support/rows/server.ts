import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { eventually } from '../eventually.ts';
import { fitting, run } from './statements.ts';
import type { Held, Table, Where } from './statements.ts';

/* Facts and acts of PostgreSQL itself rather than of rows. */

export async function databaseName(database: Database): Promise<string> {
  const [row] = await run(database, sql<{ name: string }>`select current_database() as name`);
  return row?.name ?? '';
}

/** The address at which another process reaches the same database. */
export async function urlOf(database: Database): Promise<string> {
  const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
  url.pathname = `/${await databaseName(database)}`;
  return url.href;
}

/** Makes and drops partitions as on the day that is so many days from now: 0 is today. */
export async function maintainPartitionsAt(database: Database, daysFromNow: number): Promise<void> {
  await run(database, sql`select maintain_partitions(current_date + ${daysFromNow}::integer)`);
}

/** Gives the transaction its number before it writes, so that others which begin later commit first. */
export async function takeTransactionId(tx: Tx): Promise<void> {
  await sql`select pg_current_xact_id()`.execute(tx.sql);
}

/** Has PostgreSQL write down now what its statistics count. */
export async function booksWritten(held: Held): Promise<void> {
  await run(held, sql`select pg_stat_force_next_flush()`);
}

/** Empties tables together with the rows that lead to theirs, and counts their numbers from 1 again. */
export async function emptyTables(database: Database, ...tables: string[]): Promise<void> {
  const names = sql.join(tables.map((table) => sql.table(table)));
  await run(database, sql`truncate ${names} restart identity cascade`);
}

/** The plan as text. The planner takes no sequential scan where it has a choice, as on large tables. */
export async function planOf(database: Database, query: RawBuilder<unknown>): Promise<string> {
  return database.transaction(async ({ sql: held }: { sql: Kysely<unknown> }) => {
    await sql`set local enable_seqscan = off`.execute(held);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${query}`.execute(held);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

/** Lets the planner know the rows that were just added. */
export async function analyzed(database: Database): Promise<void> {
  await run(database, sql`analyze`);
}

/** Names the partitions of these tables. */
export async function partitionsOf(database: Database, ...tables: string[]): Promise<string[]> {
  const parts = await run(
    database,
    sql<{ name: string }>`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      join pg_class p on p.oid = i.inhparent where p.relname = any(${tables})`,
  );
  return parts.map(({ name }) => name);
}

/** Counts the pages of these tables and of their indexes that the database has read on the books of this connection. */
export async function pagesRead(held: Held, ...tables: string[]): Promise<number> {
  await booksWritten(held);
  const read = sql`heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit, 0) + coalesce(idx_blks_read, 0)`;
  const [row] = await run(
    held,
    sql<{ n: number }>`select sum(${read})::float8 as n from pg_statio_user_tables where relname = any(${tables})`,
  );
  return row?.n ?? 0;
}

/** Lets nobody else change the rows that fit until the transaction ends. */
export async function lockRows<T extends Table>(tx: Tx, table: T, where: Where<T> = {}): Promise<void> {
  await run(tx, sql`select 1 from ${sql.table(table)}${fitting(where)} for update`);
}

/** Counts the statements of this database that wait for a lock. */
export async function countBlockedHere(database: Database): Promise<number> {
  const [row] = await run(
    database,
    sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.n ?? 0;
}

export async function untilBlockedHere(database: Database): Promise<void> {
  await eventually(async () => (await countBlockedHere(database)) > 0, { what: 'a statement that waits for a lock' });
}
