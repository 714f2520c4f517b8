import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { Pool } from 'pg';
import getRawBody from 'raw-body';

/** The baseline of accept and receive: a bare Koa handler with one insert transaction. Run as a process of its own. */
const [url] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 20 });
await pool.query(
  'create table if not exists bench_insert (id bigint generated always as identity primary key, body jsonb)',
);

const app = new Koa();
app.use(async (context) => {
  const body = await getRawBody(context.req, { encoding: 'utf8' });
  JSON.parse(body);
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ id: string }>('insert into bench_insert (body) values ($1) returning id', [
      body,
    ]);
    await client.query('commit');
    context.status = 202;
    context.body = { id: rows[0]?.id };
  } finally {
    client.release();
  }
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
console.log(`http://127.0.0.1:${port}`);
