-- The people of a team: those who have a conversation open now, and the names that each tenant has seen.
set local lock_timeout = '10s';

-- Unlogged, because a row lives for seconds: a crash of the database may lose all of them.
create unlogged table viewer (
  conversation_id text not null,
  -- The browser's own id of its tab.
  id text not null,
  agency_id text not null,
  tenant_id text not null,
  name text,
  is_writing boolean not null,
  -- In no index, because each tab writes it every few seconds.
  seen_at timestamptz not null,
  primary key (conversation_id, id)
) with (fillfactor = 70);

create table colleague (
  agency_id text not null,
  tenant_id text not null,
  name text not null,
  seen_at timestamptz not null,
  primary key (agency_id, tenant_id, name),
  foreign key (agency_id, tenant_id) references tenant (agency_id, id)
);
