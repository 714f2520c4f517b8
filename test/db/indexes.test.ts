import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { parseIndexes } from '../../db/indexes/list.ts';
import { migrate } from '../../db/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { takeDatabase } from '../support/servers.ts';

describe('indexes on tables that have rows', () => {
  let url: string;
  let client: Client;
  const clients: Client[] = [];

  const connect = async (): Promise<Client> => {
    const made = new Client({ connectionString: url });
    // One is ended by its server on purpose.
    made.on('error', () => undefined);
    await made.connect();
    clients.push(made);
    return made;
  };

  beforeAll(async () => {
    url = await takeDatabase();
    client = await connect();
  });
  afterAll(() => Promise.all(clients.map((each) => each.end())));

  const validity = async (name: string): Promise<boolean | null> => {
    const { rows } = await client.query<{ valid: boolean }>(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [name],
    );
    return rows[0]?.valid ?? null;
  };

  /** Somebody has written into the table and not committed: the build waits for this one transaction, nobody else does. */
  const openWriter = async (table: string): Promise<Client> => {
    const writer = await connect();
    await writer.query('begin');
    await writer.query(`lock table ${table} in row exclusive mode`);
    await writer.query('select pg_current_xact_id()');
    return writer;
  };

  const builder = () =>
    eventually(
      async () => {
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_stat_activity
           where datname = current_database() and query like 'create%index concurrently%' and wait_event_type = 'Lock'`,
        );
        return rows[0]?.pid;
      },
      { what: 'the build to wait for the writer' },
    );

  it('are built while writers go on, also by processes of former versions that start meanwhile', async () => {
    const writer = await openWriter('contact');
    const list = parseIndexes(
      'create index concurrently if not exists contact_tried on contact (tenant_id, created_at);',
    );
    const building = migrate(url, list);
    await builder();
    expect(await validity('contact_tried')).toBe(false);

    const second = await connect();
    await second.query(`set lock_timeout = '5s'`);
    await second.query(`update contact set push_name = push_name`);
    // As former versions wait for their turn to migrate: with a statement, whose snapshot a build waits for.
    await second.query('select pg_advisory_lock(7215001)');
    await second.query('select pg_advisory_unlock(7215001)');
    const third = migrate(url, list);

    await writer.query('commit');
    await Promise.all([building, third]);
    expect(await validity('contact_tried')).toBe(true);
  });

  it('heal when their build was interrupted', async () => {
    const list = parseIndexes(
      'create unique index concurrently if not exists contact_healed on contact (id, created_at);',
    );
    const writer = await openWriter('contact');
    const building = migrate(url, list);
    const ended = expect(building).rejects.toThrow(/terminat/);
    await client.query('select pg_terminate_backend($1)', [await builder()]);
    await ended;
    await writer.query('commit');
    expect(await validity('contact_healed')).toBe(false);

    await migrate(url, list);
    expect(await validity('contact_healed')).toBe(true);
  });

  it('of a partitioned table are built partition by partition, heal, and come with new partitions', async () => {
    const list = parseIndexes('create index concurrently if not exists event_tried on event (agency_id, created_at);');
    const { rows } = await client.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event'::regclass order by 1`,
    );
    const partitions = rows.map(({ name }) => name);
    const second = partitions[1] ?? '';
    const writer = await openWriter(second);
    const building = migrate(url, list);
    const ended = expect(building).rejects.toThrow(/terminat/);
    const pid = await builder();
    const other = await connect();
    await other.query(`set lock_timeout = '5s'`);
    await other.query('begin; lock table event in row exclusive mode; commit');
    await client.query('select pg_terminate_backend($1)', [pid]);
    await ended;
    await writer.query('commit');
    expect(await validity('event_tried')).toBe(false);
    expect(await validity(`event_tried${second.slice('event'.length)}`)).toBe(false);

    await migrate(url, list);
    expect(await validity('event_tried')).toBe(true);
    await client.query('create table event_p20990105 (like event including defaults)');
    await client.query(
      `alter table event attach partition event_p20990105 for values from ('2099-01-05') to ('2099-01-12')`,
    );
    const parts = await client.query(
      `select from pg_inherits a join pg_index i on i.indexrelid = a.inhrelid
       where a.inhparent = 'event_tried'::regclass and i.indisvalid`,
    );
    expect(parts.rowCount).toBe(partitions.length + 1);
  });

  it('are dropped when the list says so, and stay dropped when a process of a former version starts', async () => {
    const gone = parseIndexes(
      'drop index concurrently if exists contact_tried; drop index concurrently if exists event_tried;',
    );
    await migrate(url, gone);
    expect([await validity('contact_tried'), await validity('event_tried')]).toEqual([null, null]);

    const former = parseIndexes('create index concurrently if not exists contact_tried on contact (tenant_id);');
    await client.query(`insert into mikro_orm_migrations (name, executed_at) values ('9999-later', now())`);
    await migrate(url, former);
    await client.query(`delete from mikro_orm_migrations where name = '9999-later'`);
    expect(await validity('contact_tried')).toBeNull();
  });

  it.each([
    'create index contact_x on contact (id);',
    'create index concurrently contact_x on contact (id);',
    'drop index contact_x;',
    'alter table contact drop column name;',
    `create index concurrently if not exists ${'x'.repeat(54)} on contact (id);`,
  ])('are listed in one form only, and not as "%s"', (statement) => {
    expect(() => parseIndexes(statement)).toThrow();
  });
});
