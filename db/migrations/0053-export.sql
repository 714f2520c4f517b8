-- The exports of tenants: how far each is, and the parts of its file. The imports: how far each file is read in.
set local lock_timeout = '10s';

create table tenant_export (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  key_id text not null,
  -- The position in the walk through the tables; null once it has ended.
  cursor jsonb,
  -- The rows that are written so far, by table.
  counts jsonb not null default '{}',
  files integer not null default 0,
  -- Files that rows name and the store did not have.
  missing_files integer not null default 0,
  -- The parts so far, the bytes that they take in the file, and the digest over all of them.
  parts integer not null default 0,
  size_bytes bigint not null default 0,
  chain text not null default '',
  created_at timestamptz not null,
  ended_at timestamptz,
  expires_at timestamptz,
  -- Why the file is not kept any more; null while it is.
  gone_reason text check (gone_reason in ('expired', 'erased', 'deleted')),
  foreign key (agency_id, tenant_id) references tenant (agency_id, id)
);
create index tenant_export_tenant on tenant_export (agency_id, tenant_id, id);
create unique index tenant_export_open on tenant_export (agency_id, tenant_id)
  where ended_at is null and gone_reason is null;
create index tenant_export_expiring on tenant_export (expires_at) where gone_reason is null;

-- The parts of an export's file in their order: rows, or a file of the tenant. Each is a file of the store.
create table tenant_export_part (
  export_id text not null references tenant_export (id),
  number integer not null,
  name text not null,
  key text not null,
  sha256 text not null,
  size_bytes bigint not null,
  -- The position of its start in the file.
  position bigint not null,
  primary key (export_id, number),
  unique (export_id, name)
);
create index tenant_export_part_key on tenant_export_part (key);
create index tenant_export_part_position on tenant_export_part (export_id, position);

create function note_export_part_let_go() returns trigger language plpgsql as $$
begin
  insert into media_let_go (key) values (old.key);
  return null;
end
$$;
-- A thumbnail goes with its picture.
create trigger tenant_export_part_gone after delete on tenant_export_part for each row
  when (old.name not like '%.webp')
  execute function note_export_part_let_go();

create table tenant_import (
  agency_id text not null,
  tenant_id text not null,
  -- The digest over all parts of the file, by which a second run knows that it has the same one.
  chain text not null,
  -- The bytes of the file that are read in.
  position bigint not null default 0,
  counts jsonb not null default '{}',
  -- Rows of the file that were not taken, by table, because what they belong to is not in it.
  left_out jsonb not null default '{}',
  files integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (agency_id, tenant_id),
  foreign key (agency_id, tenant_id) references tenant (agency_id, id)
);
