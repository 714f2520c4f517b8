import { Client } from 'pg';

/** A process of the engine: both halves in one, or one of them. */
export const HALVES = ['engine', 'api', 'worker'] as const;
export type Half = (typeof HALVES)[number];

const PASSWORD = 'bench';
const roleOf = (half: Half): string => `bench_${half}`;
export const ROLES = HALVES.map(roleOf);

/** Makes a database user for each half, so that PostgreSQL's statistics tell whose a statement is. */
export async function makeRoles(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('create extension if not exists pg_stat_statements');
  for (const role of ROLES) await client.query(`create role ${role} superuser login password '${PASSWORD}'`);
  await client.end();
}

export function urlAs(half: Half, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = roleOf(half);
  url.password = PASSWORD;
  return url.href;
}

/** Counts the statements of all engines so far, in all databases. */
export async function statementsOfEngines(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ calls: number }>(
      `select coalesce(sum(s.calls), 0)::float8 as calls from pg_stat_statements s join pg_roles r on r.oid = s.userid
       where r.rolname = any($1) and s.toplevel`,
      [ROLES],
    );
    return rows[0]?.calls ?? 0;
  } finally {
    await client.end();
  }
}
