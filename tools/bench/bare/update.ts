import { Pool } from 'pg';
import { serveBare } from './bare-server.ts';

/** The baseline of a takeover: one update. This script runs as a process of its own. */
const ROWS = 500;
const [url] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 20 });
await pool.query('create table if not exists bench_update (id integer primary key, n integer not null default 0)');
await pool.query('insert into bench_update (id) select generate_series(0, $1) on conflict do nothing', [ROWS - 1]);

let posts = 0;
await serveBare(pool, 200, async (client) => {
  const update = 'update bench_update set n = n + 1 where id = $1 returning n';
  const { rows } = await client.query<{ n: number }>(update, [posts++ % ROWS]);
  return { n: rows[0]?.n };
});
