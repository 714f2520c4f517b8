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

  it('lets keys of an only session set the agent, unless their maker may not or they name their scopes', async () => {
    await operator.query(`insert into agency (id, dashboard_name) values ('keyed', 'Keyed')`);
    await operator.query(`insert into tenant (agency_id, id) values ('keyed', 'one'), ('keyed', 'two')`);
    for (const [id, tenant, wish] of [
      ['only', 'one', 'running'],
      ['gone', 'one', 'deleted'],
      ['first', 'two', 'running'],
      ['second', 'two', 'running'],
    ]) {
      await operator.query(
        `insert into session (id, agency_id, tenant_id, name, wish) values ($1, 'keyed', $2, $1, $3)`,
        [id, tenant, wish],
      );
    }
    const keys: [
      id: string,
      kind: string,
      tenant: string | null,
      session: string | null,
      scopes: string[],
      maker: string | null,
    ][] = [
      ['weak', 'dashboard', null, null, ['keys', 'send'], null],
      ['usual', 'session', 'one', 'only', [], null],
      ['named', 'session', 'one', 'only', ['send'], null],
      ['made', 'session', 'one', 'only', [], 'weak'],
      ['audited', 'session', 'one', 'only', [], null],
      ['several', 'session', 'two', 'first', [], null],
    ];
    for (const [id, kind, tenant, session, scopes, maker] of keys) {
      await operator.query(
        `insert into api_key (id, kind, agency_id, tenant_id, session_id, name, scopes, digest, hint, made_by, created_at)
          values ($1, $2, 'keyed', $3, $4, $1, $5, '', '', $6, '2026-01-01')`,
        [id, kind, tenant, session, scopes, maker],
      );
    }
    await operator.query(
      `insert into audit_entry (agency_id, object, object_id, action, key_id, at)
        values ('keyed', 'key', 'audited', 'created', 'weak', '2026-01-01')`,
    );
    await operator.query(`delete from mikro_orm_migrations where name = '0102-only-session-keys'`);
    await migrate(url);
    const { rows } = await operator.query(
      `select id from api_key where agency_id = 'keyed' and 'ai:admin' = any(scopes) order by id`,
    );
    expect(rows).toEqual([{ id: 'usual' }]);
  });
});
