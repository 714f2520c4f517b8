-- The operator's decisions about agencies, the rotation of keys, and who changed what.
set local lock_timeout = '10s';

-- The first time a session of the agency was WORKING, and when and why the operator suspended it.
alter table agency add column first_working_at timestamptz, add column suspended_at timestamptz,
  add column suspended_reason text;

-- `replaced_by` is the key that a rotation made. `digest_of` names the encryption key that made the digest; null in
-- rows of before.
alter table api_key add column replaced_by text, add column digest_of text;

-- Changes without a history of their own: of keys, sessions, settings, personas, agents' states and agencies.
create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  agency_id text not null,
  tenant_id text,
  object text not null,
  object_id text not null,
  action text not null,
  actor text,
  key_id text,
  reason text,
  detail jsonb
);
create index audit_entry_agency on audit_entry (agency_id, at desc, id desc);
create index audit_entry_at on audit_entry (at desc, id desc);

-- An agency is active from the first time that a session of it is WORKING, whichever process writes that.
create function note_first_working() returns trigger language plpgsql as $$
begin
  update agency set first_working_at = now(), status = case when status = 'registered' then 'active' else status end
  where id = new.agency_id and first_working_at is null;
  return null;
end
$$;
create trigger session_working after update of status on session for each row
  when (new.status = 'WORKING' and old.status <> 'WORKING') execute function note_first_working();
update agency a set first_working_at = now(),
  status = case when status = 'registered' then 'active' else status end
where exists (select 1 from session s where s.agency_id = a.id and (s.status = 'WORKING' or s.chat_id is not null));
