import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { Pool } from 'pg';
import getRawBody from 'raw-body';

/** The baseline of a takeover: a bare Koa handler with one update in a transaction. Run as a process of its own. */
const ROWS = 500;
const [url] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 20 });
await pool.query('create table if not exists bench_update (id integer primary key, n integer not null default 0)');
await pool.query('insert into bench_update (id) select generate_series(0, $1) on conflict do nothing', [ROWS - 1]);

let posts = 0;
const app = new Koa();
app.use(async (context) => {
  JSON.parse(await getRawBody(context.req, { encoding: 'utf8' }));
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ n: number }>('update bench_update set n = n + 1 where id = $1 returning n', [
      posts++ % ROWS,
    ]);
    await client.query('commit');
    context.body = { n: rows[0]?.n };
  } finally {
    client.release();
  }
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
console.log(`http://127.0.0.1:${port}`);
