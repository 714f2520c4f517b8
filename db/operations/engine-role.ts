import { Client } from 'pg';

interface EngineRole {
  role: string;
  password: string;
}

/**
 * Gives every object of the database that a superuser owns to the engine's role. An earlier release made them as the
 * superuser. PostgreSQL cannot reassign what its first superuser owns in one statement. Objects of extensions stay,
 * and what belongs to a table follows it.
 */
const TAKE_OVER = `
do $$
declare
  v_role constant text := current_setting('engine.role');
  v_statement text;
begin
  for v_statement in
    select format('alter database %I owner to %I', datname, v_role) from pg_database
      where datname = current_database() and datdba <> v_role::regrole
    union all
    select format('alter %s %s owner to %I',
        case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
        c.oid::regclass, v_role)
      from pg_class c join pg_roles o on o.oid = c.relowner and o.rolsuper
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and not exists (select 1 from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('e', 'a', 'i')
            and (d.deptype = 'e' or c.relkind = 'S'))
    union all
    select format('alter routine %s owner to %I', p.oid::regprocedure, v_role)
      from pg_proc p join pg_roles o on o.oid = p.proowner and o.rolsuper
      where p.pronamespace = 'public'::regnamespace
        and not exists (select 1 from pg_depend d
          where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select format('alter type %s owner to %I', t.oid::regtype, v_role)
      from pg_type t join pg_roles o on o.oid = t.typowner and o.rolsuper
      where t.typnamespace = 'public'::regnamespace and t.typtype in ('d', 'e', 'r')
        and not exists (select 1 from pg_depend d
          where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
  loop
    execute v_statement;
  end loop;
end $$`;

/**
 * Makes the role by which the engine works in a database that it runs itself, and returns the address for it. The role
 * owns the database, so it also migrates it. It is no superuser: otherwise an injected statement could run programs on
 * this machine. It may read the server's statistics, which `engine doctor` shows.
 */
export async function useEngineRole(superuserUrl: string, { role, password }: EngineRole): Promise<string> {
  const client = new Client({ connectionString: superuserUrl, application_name: 'engine-role' });
  // A server that ends meanwhile fails the statement, too; without a listener the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    const name = client.escapeIdentifier(role);
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
    if (rowCount === 0) await client.query(`create role ${name}`);
    await client.query(
      `alter role ${name} login nosuperuser nobypassrls nocreaterole noreplication
        password ${client.escapeLiteral(password)}`,
    );
    await client.query(`grant pg_monitor to ${name}`);
    await client.query(`select set_config('engine.role', $1, true)`, [role]);
    await client.query(TAKE_OVER);
    await client.query('commit');
  } finally {
    await client.end();
  }
  const url = new URL(superuserUrl);
  url.username = role;
  url.password = encodeURIComponent(password);
  return url.href;
}
