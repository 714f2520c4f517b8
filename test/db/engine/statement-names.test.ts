import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { booksWritten } from '../../support/rows.ts';
import { z } from 'zod';
import { connectDatabase } from '../../../db/connect.ts';
import { findConversationInScope } from '../../../db/conversations/conversation.ts';
import type { Database } from '../../../db/engine/database.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { one, rows, run } from '../../../db/engine/rows.ts';
import type { Queries, Tx } from '../../../db/engine/tx.ts';
import { ENCRYPTION_KEY } from '../../support/keys.ts';
import { takeDatabase } from '../../support/servers.ts';

const OFTEN = 30;
const Statement = z.object({ statement: z.string() });
const Answer = z.object({ id: z.string() });
const Place = z.object({ id: z.string(), city: z.string().optional() });
const Scans = z.object({ read: z.int() });
const Zone = z.object({ zone: z.string() });

const open = (url: string, directUrl: string): Promise<Database> =>
  connectDatabase({
    url,
    directUrl,
    encryptionKey: ENCRYPTION_KEY,
    webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
    poolSize: 2,
    applicationName: 'names-test',
    onError: (error) => {
      throw error;
    },
  });

describe('a statement that the process uses often', () => {
  let database: Database;
  let pooled: Database;
  beforeAll(async () => {
    const url = await takeDatabase();
    database = await open(url, url);
    // The address of a pooler differs from the direct one; here both lead to the same server.
    await database.statement(
      (tx) => run(tx)`
      do $$ begin execute format('alter database %I set timezone = %L', current_database(), 'Asia/Tokyo'); end $$`,
    );
    const poolerUrl = new URL(url);
    poolerUrl.searchParams.set('application_name', 'pooled');
    pooled = await open(poolerUrl.href, url);
  });
  afterAll(async () => {
    await database.close();
    await pooled.close();
  });

  it('has a name on its connection, so that PostgreSQL keeps its plan', async () => {
    const kept = await keptAfterUses(database, (tx) => rows(tx, Answer)`select ${'a'}::text as id`);
    expect(kept).toEqual(['select $1::text as id']);
  });

  it('has a name although MikroORM makes it, which would write each value into the text', async () => {
    const read = (tx: Tx) =>
      findConversationInScope(tx, { agencyId: 'a', tenantId: 't', sessionId: null }, newId('cnv'));
    const [kept = '', ...others] = await keptAfterUses(database, read);
    expect(kept).toMatch(/^select "c0"\.\* from "conversation" as "c0" where "c0"\."agency_id" = \$1 /);
    expect(others).toEqual([]);
  });

  it('has none without values, as it would cost more messages', async () => {
    expect(await keptAfterUses(database, (tx) => rows(tx, Answer)`select 'c' as id`)).toEqual([]);
  });

  it('has none behind a pooler, which gives the connection to others', async () => {
    expect(await keptAfterUses(pooled, (tx) => rows(tx, Answer)`select ${'d'}::text as id`)).toEqual([]);
    expect(await pooled.read((queries) => one(queries, Zone)`select current_setting('timezone') as zone`)).toEqual({
      zone: 'UTC',
    });
  });

  it('survives a migration that gives its table another column', async () => {
    await database.statement((tx) => run(tx)`create table place (id text)`);
    await database.statement((tx) => run(tx)`insert into place values ('here')`);
    const read = (queries: Pick<Queries, 'sql'>) => one(queries, Place)`select * from place where id = ${'here'}`;
    for (let uses = 0; uses < OFTEN; uses += 1) await database.read(read);
    expect(await database.read(kept)).toContain('select * from place where id = $1');
    await database.statement((tx) => run(tx)`alter table place add city text default 'Basel'`);
    expect(await database.transaction(read)).toEqual({ id: 'here', city: 'Basel' });
    await database.statement((tx) => run(tx)`alter table place drop city`);
    expect(await database.read(read)).toEqual({ id: 'here' });
  });

  it('reads by an index that its plan could not use while the table was empty', async () => {
    await database.statement((tx) => run(tx)`create table line (id text primary key, at timestamptz)`);
    await database.statement((tx) => run(tx)`vacuum line`);
    const read = (queries: Pick<Queries, 'sql'>) => rows(queries, Answer)`select id from line where id = ${'7'}`;
    for (let uses = 0; uses < OFTEN; uses += 1) await database.read(read);
    await database.statement((tx) => run(tx)`insert into line select n::text from generate_series(1, 10000) n`);
    await database.read(read);
    const scans = await database.read(async (queries) => {
      await booksWritten(queries);
      return one(queries, Scans)`
        select seq_tup_read::int as read from pg_stat_user_tables where relname = 'line'`;
    });
    expect(scans).toEqual({ read: 0 });
  });
});

async function kept(queries: Pick<Queries, 'sql'>): Promise<string[]> {
  const found = await rows(queries, Statement)`select statement from pg_prepared_statements order by prepare_time`;
  return found.map(({ statement }) => statement);
}

/** Returns what has become a named statement on a connection that runs this often. */
async function keptAfterUses(database: Database, use: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  return database.transaction(async (tx) => {
    const before = await kept(tx);
    for (let uses = 0; uses < OFTEN; uses += 1) await use(tx);
    return (await kept(tx)).filter((statement) => !before.includes(statement));
  });
}
