import { sql } from 'kysely';
import { Client } from 'pg';
import { connectDatabase } from '../../db/connect.ts';
import type { Database } from '../../db/engine/database.ts';
import { ENCRYPTION_KEY } from '../support/keys.ts';
import { rowsOf } from '../support/rows.ts';
import { superuserUrl } from '../support/servers.ts';

/** Databases of as many processes, all of one server's database. */
export function processesOn(databaseUrl: string, count: number): Promise<Database[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      connectDatabase({
        url: databaseUrl,
        directUrl: databaseUrl,
        encryptionKey: ENCRYPTION_KEY,
        webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
        poolSize: 3,
        applicationName: `process-${index}`,
        onError: () => undefined,
      }),
    ),
  );
}

/** The extension that counts statements; only a superuser may create it. */
export async function createStatementBooks(name: string): Promise<void> {
  const url = new URL(superuserUrl());
  url.pathname = `/${name}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query('create extension if not exists pg_stat_statements');
  await client.end();
}

/** Counts the statements of a database by PostgreSQL's own books. */
export async function statementsOf(database: Database) {
  const [here] = await rowsOf(database, sql<{ name: string }>`select current_database() as name`);
  await createStatementBooks(here?.name ?? '');
  const read = async (): Promise<Map<string, number>> => {
    const rows = await rowsOf(
      database,
      sql<{ query: string; calls: number }>`
        select query, sum(calls)::int as calls from pg_stat_statements
        where toplevel and dbid = (select oid from pg_database where datname = current_database()) group by query`,
    );
    return new Map(rows.map(({ query, calls }) => [query, calls]));
  };
  let before = await read();

  return {
    /** Counts the runs of statements with these words since the beginning, or of all statements. */
    async count(words = ''): Promise<number> {
      const now = await read();
      let calls = 0;
      for (const [query, count] of now) {
        if (query.includes(words) && !query.includes('pg_stat_statements')) calls += count - (before.get(query) ?? 0);
      }
      return calls;
    },
    async beginAnew(): Promise<void> {
      before = await read();
    },
  };
}
