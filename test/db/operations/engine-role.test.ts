import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { migrate } from '../../../db/migrate.ts';
import { useEngineRole } from '../../../db/operations/engine-role.ts';
import { readDatabaseHealth } from '../../../db/operations/database-health.ts';
import { eventually } from '../../support/eventually.ts';
import { superuserUrl } from '../../support/servers.ts';

const PASSWORD = `it's ${randomUUID()}`;
const role = `engine_${randomUUID().replaceAll('-', '')}`;
const name = `old_${randomUUID().replaceAll('-', '')}`;
const ownerUrl = new URL(superuserUrl());
ownerUrl.pathname = `/${name}`;

async function asked(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The relations, functions and schemas of the database that are not the engine's, extensions aside. */
const STRANGERS = `
  select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relowner <> '${role}'::regrole
  union all select p.proname from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proowner <> '${role}'::regrole
  union all select datname from pg_database where datname = current_database() and datdba <> '${role}'::regrole`;

describe('the role of the engine', () => {
  let url: string;

  // A database of a release that worked as the superuser.
  beforeAll(async () => {
    await asked(superuserUrl(), `create database ${name}`);
    await migrate(ownerUrl.href);
    await asked(ownerUrl.href, 'create view seen as select 1 as one');
    await asked(ownerUrl.href, `create role ${role}`);
    expect((await asked(ownerUrl.href, STRANGERS)).length).toBeGreaterThan(100);
    url = await useEngineRole(ownerUrl.href, { role, password: PASSWORD });
  });
  afterAll(async () => {
    // A connection that has just ended may still be there for the server, and its end by force would be an error.
    await eventually(() =>
      asked(superuserUrl(), `drop database if exists ${name}`).then(
        () => true,
        () => false,
      ),
    );
    await asked(superuserUrl(), `drop role ${role}`);
  });

  it('owns all that an earlier release has made as the superuser', async () => {
    expect(await asked(url, STRANGERS)).toEqual([]);
    expect(await asked(url, 'select one from seen')).toEqual([{ one: 1 }]);
  });

  it('is no superuser, and can neither run programs nor pass the rows of others', async () => {
    const [is] = await asked(
      url,
      `select current_user::text as role, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication
        from pg_roles where rolname = current_user`,
    );
    const never = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false };
    expect(is).toEqual({ role, ...never, rolreplication: false });
    await expect(asked(url, `copy (select 1) to program 'true'`)).rejects.toThrow(/permission denied/);
    await expect(asked(url, `copy (select 1) to '/tmp/never-written'`)).rejects.toThrow(/permission denied/);
    await expect(asked(url, `select pg_read_file('/etc/passwd')`)).rejects.toThrow(/permission denied/);
  });

  it('runs every migration again that lacks, and defines the functions', async () => {
    await asked(url, `drop schema public cascade; create schema public`);
    await migrate(url);
    expect(await asked(url, STRANGERS)).toEqual([]);
  });

  it('takes over what was made as the superuser since, with another password', async () => {
    await asked(ownerUrl.href, 'create table since (id bigint generated always as identity); create sequence apart');
    const again = await useEngineRole(ownerUrl.href, { role, password: 'other' });
    expect(await asked(again, STRANGERS)).toEqual([]);
    expect(await asked(again, 'insert into since default values returning id::int')).toEqual([{ id: 1 }]);
    await expect(asked(url, 'select 1')).rejects.toThrow(/password/);
    url = again;
  });

  it('lets the doctor tell a superuser from it', async () => {
    expect(await readDatabaseHealth(url)).toMatchObject({ isSuperuser: false, role, wal: expect.anything() });
    expect(await readDatabaseHealth(ownerUrl.href)).toMatchObject({ isSuperuser: true, role: 'postgres' });
  });
});
