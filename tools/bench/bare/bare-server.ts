import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import type { Pool, PoolClient } from 'pg';
import getRawBody from 'raw-body';

/** Serves a bare Koa handler with one transaction, and prints where: the baseline of what the engine does in one. */
export async function serveBare(
  pool: Pool,
  status: number,
  inTransaction: (client: PoolClient, body: string) => Promise<object>,
): Promise<void> {
  const app = new Koa();
  app.use(async (context) => {
    const body = await getRawBody(context.req, { encoding: 'utf8' });
    JSON.parse(body);
    const client = await pool.connect();
    try {
      await client.query('begin');
      const answer = await inTransaction(client, body);
      await client.query('commit');
      context.status = status;
      context.body = answer;
    } finally {
      client.release();
    }
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
}
