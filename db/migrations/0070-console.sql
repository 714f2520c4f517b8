-- Logins of the console, and the links that lead into it without a key.
set local lock_timeout = '10s';

create table console_link (
  id text primary key,
  -- The keyed digest of its ticket; the ticket itself is shown once.
  ticket bytea not null,
  name text not null,
  -- The target of the link. Without an agency it is the operator's own, of a start.
  agency_id text references agency (id) on delete cascade,
  tenant_id text,
  session_id text references session (id) on delete cascade,
  endpoint_id text references endpoint (id) on delete cascade,
  read_only boolean not null,
  -- Null for all pages.
  pages text[],
  -- The origins whose pages may frame the console; empty for none.
  embed_in text[] not null default '{}',
  -- It ends with the key that made it; the operator's ends with the master key.
  key_id text references api_key (id) on delete cascade,
  master bytea,
  login_seconds integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  check ((key_id is null) <> (master is null))
);
create index console_link_agency on console_link (agency_id, created_at desc, id desc);
create index console_link_expires on console_link (expires_at);

create table console_login (
  id text primary key,
  -- The keyed digest of the cookie's secret.
  digest bytea not null,
  -- The credential behind it: a key, the master key by its keyed digest, or a link.
  key_id text references api_key (id) on delete cascade,
  master bytea,
  link_id text references console_link (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (num_nonnulls(key_id, master, link_id) = 1)
);
create index console_login_expires on console_login (expires_at);
create index console_login_key on console_login (key_id) where key_id is not null;
create index console_login_link on console_login (link_id) where link_id is not null;
