import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { sql } from 'kysely';
import type { Database } from '../../db/engine/database.ts';
import { defineFunctions } from '../../db/functions.ts';
import { takeDatabase } from '../support/servers.ts';
import { aDatabase } from './a-database.ts';

describe('the functions of the database', () => {
  let database: Database;
  let client: Client;

  beforeAll(async () => {
    database = await aDatabase();
    const databaseUrl = await takeDatabase();
    // Another one than the database's: its functions stay as they are.
    client = new Client({ connectionString: databaseUrl });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.close();
  });

  const stored = async () => (await client.query<{ digest: string }>('select digest from function_version')).rows;

  it('are brought to this version, and left alone where a newer process has brought its own', async () => {
    const [ours] = await stored();
    await client.query(`update function_version set digest = 'of other files'`);
    await defineFunctions(client);
    expect(await stored()).toEqual([ours]);
    await client.query(`update function_version set digest = 'of a newer version', version = version + 1`);
    await defineFunctions(client);
    expect(await stored()).toEqual([{ digest: 'of a newer version' }]);
    await client.query(`update function_version set version = version - 1`);
    await defineFunctions(client);
    expect(await stored()).toEqual([ours]);
  });

  it('plan each of their statements once', async () => {
    const { rows } = await client.query(
      `select p.proname from pg_proc p join pg_language l on l.oid = p.prolang
       where l.lanname = 'plpgsql' and p.pronamespace = 'public'::regnamespace
         and not coalesce(p.proconfig, '{}') @> '{plan_cache_mode=force_generic_plan}'`,
    );
    expect(rows).toEqual([]);
  });

  it('run again as single statements, too, when PostgreSQL chose one as a deadlock’s victim', async () => {
    let tries = 0;
    const answer = await database.statement(async (tx) => {
      tries += 1;
      if (tries < 3)
        await sql`do $$ begin raise exception 'as in a deadlock' using errcode = '40P01'; end $$`.execute(tx.sql);
      return 'done';
    });
    expect({ answer, tries }).toEqual({ answer: 'done', tries: 3 });
  });
});
