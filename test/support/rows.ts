import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../db/database.ts';

/** What the database holds, for what no route shows. */
export async function rowsOf<T>(database: Database, query: RawBuilder<T>): Promise<T[]> {
  return database.read(async (queries) => (await query.execute(queries.sql)).rows);
}

export async function countOf(database: Database, from: RawBuilder<unknown>): Promise<number> {
  const rows = await rowsOf(database, sql<{ n: number }>`select count(*)::int as n from ${from}`);
  return rows[0]?.n ?? 0;
}
