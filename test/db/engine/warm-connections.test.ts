import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { Client } from 'pg';
import { z } from 'zod';
import { connectDatabase } from '../../../db/connect.ts';
import type { Database } from '../../../db/engine/database.ts';
import { one } from '../../../db/engine/rows.ts';
import type { Queries } from '../../../db/engine/tx.ts';
import { WARM_UP } from '../../../db/engine/warm-connections.ts';
import { eventually } from '../../support/eventually.ts';
import { ENCRYPTION_KEY } from '../../support/keys.ts';
import { changeRows } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';

const KEPT = 2;
const NAME = 'warm-test';
const Plan = z.object({ 'Shared Hit Blocks': z.int(), 'Shared Read Blocks': z.int() });
const Explained = z.object({ 'QUERY PLAN': z.array(z.object({ Plan })) });
const IdRow = z.object({ id: z.int() });
const XactRow = z.object({ id: z.string().nullable() });
const FIRST_CALL = `explain (analyze, buffers, format json) select claim_message('{"messageId": "msg_1"}')`;

describe('the connections that a process keeps', () => {
  let url: string;
  let database: Database;
  beforeAll(async () => {
    url = await takeDatabase();
    database = await connectDatabase({
      url,
      directUrl: url,
      encryptionKey: ENCRYPTION_KEY,
      webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
      poolSize: 10,
      applicationName: NAME,
      onError: (error) => {
        throw error;
      },
    });
  });
  afterAll(() => database.close());

  it('are open and warm before anything asks for them, and are counted', async () => {
    expect(database.pool.warm).toBe(0);
    await database.keepWarm();
    expect(database.pool).toMatchObject({ busy: 0, idle: KEPT, warm: KEPT });
    expect(await lastStatements(url)).toEqual([WARM_UP.at(-1), WARM_UP.at(-1)]);
  });

  it('have made the plans of the hottest statements', async () => {
    const cold = new Client({ connectionString: url });
    await cold.connect();
    const { rows: explained } = await cold.query(FIRST_CALL);
    await cold.end();
    const coldBuffers = buffersOf(explained[0]);
    const warmBuffers = await onEach(database, async ({ sql: connection }) => {
      const { rows: found } = await sql.raw(FIRST_CALL).execute(connection);
      return buffersOf(found[0]);
    });
    for (const buffers of warmBuffers) expect(buffers).toBeLessThan(coldBuffers / 5);
  });

  it('become warm again after a migration, and only then', async () => {
    await onEach(database, async () => undefined);
    const idle = await lastStatements(url);
    expect(idle).not.toContain(WARM_UP.at(-1));
    await database.keepWarm();
    expect(await lastStatements(url)).not.toContain(WARM_UP.at(-1));
    await changeRows(database, 'functionVersion', { digest: 'of other functions' });
    await database.keepWarm();
    expect(await lastStatements(url)).toEqual([WARM_UP.at(-1), WARM_UP.at(-1)]);
  });

  it('are opened again where they were lost', async () => {
    const admin = new Client({ connectionString: url });
    await admin.connect();
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [NAME]);
    await admin.end();
    await eventually(async () => database.pool.warm === 0, { what: 'the pool to notice' });
    await database.keepWarm();
    expect(database.pool).toMatchObject({ idle: KEPT, warm: KEPT });
  });

  it('write nothing to become warm', async () => {
    const written = await database.transaction(async (tx) => {
      for (const statement of WARM_UP) await sql.raw(statement).execute(tx.sql);
      return one(tx, XactRow)`select pg_current_xact_id_if_assigned()::text as id`;
    });
    expect(written).toEqual({ id: null });
  });
});

function buffersOf(explained: unknown): number {
  const plan = Explained.parse(explained)['QUERY PLAN'][0]?.Plan;
  return (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
}

/** Runs the work on each of the kept connections, which are all taken before the first has ended. */
async function onEach<T>(database: Database, work: (queries: Pick<Queries, 'sql'>) => Promise<T>): Promise<T[]> {
  const taken = new Set<number>();
  const allTaken = Promise.withResolvers<void>();
  return Promise.all(
    Array.from({ length: KEPT }, () =>
      database.transaction(async (tx) => {
        const answer = await work(tx);
        const { id } = await one(tx, IdRow)`select pg_backend_pid() as id`;
        taken.add(id);
        if (taken.size === KEPT) allTaken.resolve();
        await allTaken.promise;
        return answer;
      }),
    ),
  );
}

/** Reads what each connection of the pool has run last. */
async function lastStatements(url: string): Promise<string[]> {
  const reader = new Client({ connectionString: url, application_name: 'reader' });
  await reader.connect();
  const { rows: found } = await reader.query<{ query: string }>(
    'select query from pg_stat_activity where application_name = $1',
    [NAME],
  );
  await reader.end();
  return found.map(({ query }) => query);
}
