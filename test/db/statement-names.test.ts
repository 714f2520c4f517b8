import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Database } from '../../db/database.ts';
import { rows } from '../../db/rows.ts';
import type { Tx } from '../../db/tx.ts';
import { ENCRYPTION_KEY } from '../support/keys.ts';
import { takeDatabase } from '../support/servers.ts';
import { aDatabase } from './a-database.ts';

const Statement = z.object({ statement: z.string() });
const Answer = z.object({ id: z.string() });

describe('a statement that the process uses often', () => {
  let database: Database;
  beforeAll(async () => {
    database = await aDatabase();
  });
  afterAll(() => database.close());

  it('has a name on its connection, so that PostgreSQL keeps its plan', async () => {
    const kept = await keptAfterTenUses(database, (tx) => rows(tx, Answer)`select ${'a'}::text as id`);
    expect(kept).toEqual(['select $1::text as id']);
  });

  it('has none where it answers all columns, because a migration may add one', async () => {
    const kept = await keptAfterTenUses(
      database,
      (tx) => rows(tx, Answer)`select t.* from (select ${'b'}::text as id) t`,
    );
    expect(kept).toEqual([]);
  });

  it('has none without values, as it would cost more messages', async () => {
    expect(await keptAfterTenUses(database, (tx) => rows(tx, Answer)`select 'c' as id`)).toEqual([]);
  });

  it('has none behind a pooler, which gives the connection to others', async () => {
    const pooled = await behindPooler();
    const kept = await keptAfterTenUses(pooled, (tx) => rows(tx, Answer)`select ${'d'}::text as id`);
    await pooled.close();
    expect(kept).toEqual([]);
  });
});

/** Returns what has become a named statement on a connection that runs this ten times. */
async function keptAfterTenUses(database: Database, use: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  return database.transaction(async (tx) => {
    const named = async () => {
      const found = await rows(tx, Statement)`select statement from pg_prepared_statements order by prepare_time`;
      return found.map(({ statement }) => statement);
    };
    const before = await named();
    for (let uses = 0; uses < 10; uses += 1) await use(tx);
    return (await named()).filter((statement) => !before.includes(statement));
  });
}

/** The address of the pooler differs from the direct one; here both lead to the same server. */
async function behindPooler(): Promise<Database> {
  const directUrl = await takeDatabase();
  const url = new URL(directUrl);
  url.searchParams.set('application_name', 'pooled');
  return Database.open({
    url: url.href,
    directUrl,
    encryptionKey: ENCRYPTION_KEY,
    webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
    poolSize: 2,
    applicationName: 'pooled',
    onError: (error) => {
      throw error;
    },
  });
}
