-- Counts the bytes that each tenant's files take, so that a ceiling can bound them. A file counts once for a tenant.
set local lock_timeout = '10s';

-- Every process writes the engine's ceilings at its start; 0 is no ceiling.
create table storage_ceiling (
  one boolean primary key default true check (one),
  tenant_bytes bigint not null default 0,
  agency_bytes bigint not null default 0
);
insert into storage_ceiling default values;

-- Changes that are not added up yet. It is only appended to: transactions that name the same files in another order
-- could otherwise wait for each other.
create table storage_note (
  id bigint generated always as identity primary key,
  agency_id text not null,
  tenant_id text not null,
  key text not null,
  -- 1 where a row has come to name the file, -1 where one names it no more.
  named integer not null,
  size_bytes bigint not null
);
create index storage_note_agency on storage_note (agency_id, id);

-- Counts the rows of a tenant that name each file.
create table storage_file (
  agency_id text not null,
  tenant_id text not null,
  key text not null,
  named integer not null,
  size_bytes bigint not null,
  primary key (agency_id, tenant_id, key)
);

-- The sum of each tenant, and in the row of the tenant '' that of its agency. That row is the lock of the sums.
create table storage_use (
  agency_id text not null,
  tenant_id text not null,
  size_bytes bigint not null default 0,
  primary key (agency_id, tenant_id)
);

-- Files that are in the store, or on their way to it, and that no other row names yet.
create table file_hold (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  key text not null,
  size_bytes bigint not null,
  -- The maker of an upload (a key, a link or `master`). Null for a file that a message is about to name.
  maker text,
  mime_type text,
  created_at timestamptz not null,
  held_until timestamptz not null,
  -- Set when an upload was ended before its time. The row stays, so that its id opens nothing until it expires.
  ended_at timestamptz
);
create index file_hold_tenant on file_hold (agency_id, tenant_id, created_at, id);
create index file_hold_file on file_hold (agency_id, tenant_id, key) where maker is null;
create index file_hold_until on file_hold (held_until);

-- Triggers, because every process that writes such a row counts, also one of the release before. They are new, since
-- their creation waits for transactions that have written without them.
create function note_stored_file() returns trigger language plpgsql as $$
declare
  v_before jsonb := old.media->'stored';
  v_after jsonb := new.media->'stored';
begin
  if v_before->>'key' is not null then
    insert into storage_note (agency_id, tenant_id, key, named, size_bytes)
    values (old.agency_id, old.tenant_id, v_before->>'key', -1, coalesce((v_before->>'sizeBytes')::bigint, 0));
  end if;
  if v_after->>'key' is not null then
    insert into storage_note (agency_id, tenant_id, key, named, size_bytes)
    values (new.agency_id, new.tenant_id, v_after->>'key', 1, coalesce((v_after->>'sizeBytes')::bigint, 0));
    -- The message takes over from the hold under which its file was put. A locked hold expires by itself.
    delete from file_hold where id in (
      select id from file_hold
      where agency_id = new.agency_id and tenant_id = new.tenant_id and key = v_after->>'key' and maker is null
      for update skip locked);
  end if;
  return null;
end
$$;
create trigger message_storage_came after insert on message for each row when (new.media ? 'stored')
  execute function note_stored_file();
create trigger message_storage_changed after update of media on message for each row
  when (old.media->'stored' is distinct from new.media->'stored') execute function note_stored_file();
create trigger message_storage_gone after delete on message for each row when (old.media ? 'stored')
  execute function note_stored_file();

create function note_held_file() returns trigger language plpgsql as $$
begin
  if old.id is not null and old.ended_at is null then
    insert into storage_note (agency_id, tenant_id, key, named, size_bytes)
    values (old.agency_id, old.tenant_id, old.key, -1, old.size_bytes);
  end if;
  if new.id is not null and new.ended_at is null then
    insert into storage_note (agency_id, tenant_id, key, named, size_bytes)
    values (new.agency_id, new.tenant_id, new.key, 1, new.size_bytes);
  end if;
  return null;
end
$$;
create trigger file_hold_came after insert on file_hold for each row execute function note_held_file();
create trigger file_hold_changed after update of ended_at on file_hold for each row
  when (old.ended_at is distinct from new.ended_at) execute function note_held_file();
create trigger file_hold_gone after delete on file_hold for each row execute function note_held_file();

-- A thumbnail goes with its picture, and does not count, either.
create function note_export_part() returns trigger language plpgsql as $$
begin
  insert into storage_note (agency_id, tenant_id, key, named, size_bytes)
  select x.agency_id, x.tenant_id, coalesce(new.key, old.key), case when new.key is null then -1 else 1 end,
    coalesce(new.size_bytes, old.size_bytes)
  from tenant_export x where x.id = coalesce(new.export_id, old.export_id) and x.gone_reason is null;
  return null;
end
$$;
create trigger tenant_export_part_storage_came after insert on tenant_export_part for each row
  when (new.name not like '%.webp') execute function note_export_part();
create trigger tenant_export_part_storage_gone after delete on tenant_export_part for each row
  when (old.name not like '%.webp') execute function note_export_part();

-- The parts of an export that is not kept are deleted later, but nothing can be read of them any more.
create function note_export_gone() returns trigger language plpgsql as $$
begin
  insert into storage_note (agency_id, tenant_id, key, named, size_bytes)
  select new.agency_id, new.tenant_id, p.key, -1, p.size_bytes from tenant_export_part p
  where p.export_id = new.id and p.name not like '%.webp';
  return null;
end
$$;
create trigger tenant_export_storage_gone after update of gone_reason on tenant_export for each row
  when (old.gone_reason is null and new.gone_reason is not null) execute function note_export_gone();
