-- An account's facts of people: its address book, and whom it has blocked. `decided_at` is when somebody blocked or
-- unblocked the person through the engine, since a list of contacts that was read before is older than that. A row of a
-- contact that was merged into another stays, and is not shown.
set local lock_timeout = '10s';

create table session_contact (
  session_id text not null references session (id) on delete cascade,
  contact_id text not null references contact (id),
  is_my_contact boolean not null default false,
  is_blocked boolean not null default false,
  decided_at timestamptz,
  primary key (session_id, contact_id)
);
create index session_contact_contact on session_contact (contact_id);

-- The picture that the network shows of a person: `key`, `sizeBytes`, `sha256` and `mimeType` of the file in the store.
alter table contact add column picture jsonb, add column picture_asked_at timestamptz;

-- When the account's list of contacts was last read to its end.
alter table session add column contacts_synced_at timestamptz;
