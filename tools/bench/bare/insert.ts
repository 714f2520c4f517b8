import { Pool } from 'pg';
import { serveBare } from './bare-server.ts';

/** The baseline of accept and receive: one insert. This script runs as a process of its own. */
const [url] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 20 });
await pool.query(
  'create table if not exists bench_insert (id bigint generated always as identity primary key, body jsonb)',
);

await serveBare(pool, 202, async (client, body) => {
  const insert = 'insert into bench_insert (body) values ($1) returning id';
  const { rows } = await client.query<{ id: string }>(insert, [body]);
  return { id: rows[0]?.id };
});
