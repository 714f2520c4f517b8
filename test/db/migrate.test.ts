import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { migrate } from '../../db/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { takeDatabase } from '../support/servers.ts';

describe('a migration', () => {
  let url: string;
  let operator: Client;
  let writer: Client;

  beforeAll(async () => {
    url = await takeDatabase();
    operator = new Client({ connectionString: url });
    writer = new Client({ connectionString: url });
    await Promise.all([operator.connect(), writer.connect()]);
  });
  afterAll(() => Promise.all([operator.end(), writer.end()]));

  it('is tried again when it has met a running process in another order of locks', async () => {
    await operator.query(`delete from mikro_orm_migrations where name = '0012-key-scopes'`);
    await operator.query('alter table api_key drop column scopes');
    // The server ends the one that looks for deadlocks, so the writer does not look.
    await writer.query(`set deadlock_timeout = '10min'`);
    await writer.query('begin');
    await writer.query('lock table mikro_orm_migrations in exclusive mode');
    const migrating = migrate(url);
    await eventually(
      async () => {
        const { rowCount } = await operator.query(
          `select 1 from pg_locks where not granted and relation = 'mikro_orm_migrations'::regclass`,
        );
        return rowCount === 1;
      },
      { what: 'the migration to wait for the writer' },
    );
    // The migration has locked this table, so now each waits for the other.
    expect((await writer.query('select from api_key')).rowCount).toBe(0);
    await writer.query('rollback');
    await migrating;
    const { rowCount } = await operator.query(`select scopes from api_key where false`);
    expect(rowCount).toBe(0);
  });

  it('leaves sessions stopped that the release before has left stopped', async () => {
    await operator.query(`insert into agency (id, dashboard_name) values ('acme', 'Acme')`);
    await operator.query(`insert into tenant (agency_id, id) values ('acme', 'shop')`);
    const sessions = [
      ['long', 'STOPPED', '1 hour'],
      ['just', 'STOPPED', '10 seconds'],
      ['works', 'WORKING', '1 hour'],
    ];
    for (const [id, status, since] of sessions) {
      await operator.query(
        `insert into session (id, agency_id, tenant_id, name, is_default, status, status_changed_at)
          values ($1, 'acme', 'shop', $1, false, $2, now() - $3::interval)`,
        [id, status, since],
      );
    }
    await operator.query(`delete from mikro_orm_migrations where name = '0020-session-wish'`);
    await operator.query(
      `alter table session drop column wish, drop column wished_at, drop column asked,
        drop column asked_at, drop column acted, drop column acted_at, drop column restarts, drop column deleted_at`,
    );
    await migrate(url);
    const { rows } = await operator.query('select id, wish from session order by id');
    expect(rows).toEqual([
      { id: 'just', wish: 'running' },
      { id: 'long', wish: 'stopped' },
      { id: 'works', wish: 'running' },
    ]);
  });
});
