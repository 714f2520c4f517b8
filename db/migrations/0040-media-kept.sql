-- Files are let go by the rows that named them, and deleted when no row names them any more.
set local lock_timeout = '10s';

-- Whether nobody waits for the file: it is one of a history that was read.
alter table media_fetch add column background boolean not null default false;

-- Keys of the store that a row has let go of. Other rows may name them, too, so each is looked at after a while. It is
-- only appended to: transactions that let go of the same files in another order could otherwise wait for each other.
create table media_let_go (
  id bigint generated always as identity primary key,
  key text not null,
  at timestamptz not null default clock_timestamp()
);

-- Keys that are held or deleted. A file is put into the store before a row names it, so it is held until then.
create table media_key (
  key text primary key,
  held_until timestamptz not null,
  -- Until then one process deletes the file, and nobody puts it.
  deleting_until timestamptz
);
create index media_key_held_until on media_key (held_until);

-- Storage of the files of a tenant's messages: the sum of its rows, which the clean-up adds up into one.
create table media_usage (
  id bigint generated always as identity primary key,
  agency_id text not null,
  tenant_id text not null,
  files bigint not null,
  size_bytes bigint not null
);
create index media_usage_tenant on media_usage (agency_id, tenant_id);

-- The progress of the comparison of the store with the rows.
create table media_sweep (
  is_only boolean primary key default true check (is_only),
  after_key text not null default '',
  ended_at timestamptz
);
insert into media_sweep default values;

-- Triggers, because every process that writes a file of a message counts, also one of the release before.
create function note_file_of_message() returns trigger language plpgsql as $$
declare
  v_before jsonb := old.media->'stored';
  v_after jsonb := new.media->'stored';
begin
  insert into media_usage (agency_id, tenant_id, files, size_bytes)
  values (coalesce(new.agency_id, old.agency_id), coalesce(new.tenant_id, old.tenant_id),
    (v_after is not null)::integer - (v_before is not null)::integer,
    coalesce((v_after->>'sizeBytes')::bigint, 0) - coalesce((v_before->>'sizeBytes')::bigint, 0));
  if v_before->>'key' is distinct from v_after->>'key' and v_before is not null then
    insert into media_let_go (key) values (v_before->>'key');
  end if;
  return null;
end
$$;
create trigger message_file_came after insert on message for each row when (new.media ? 'stored')
  execute function note_file_of_message();
create trigger message_file_changed after update of media on message for each row
  when (old.media->'stored' is distinct from new.media->'stored') execute function note_file_of_message();
create trigger message_file_gone after delete on message for each row when (old.media ? 'stored')
  execute function note_file_of_message();

create function note_picture_let_go() returns trigger language plpgsql as $$
begin
  if old.picture->>'key' is distinct from new.picture->>'key' then
    insert into media_let_go (key) values (old.picture->>'key');
  end if;
  return null;
end
$$;
create trigger contact_picture_changed after update of picture on contact for each row
  when (old.picture is not null) execute function note_picture_let_go();
create trigger contact_picture_gone after delete on contact for each row
  when (old.picture is not null) execute function note_picture_let_go();
create trigger session_picture_changed after update of picture on session for each row
  when (old.picture is not null) execute function note_picture_let_go();
create trigger session_picture_gone after delete on session for each row
  when (old.picture is not null) execute function note_picture_let_go();
