-- The link by which the owner of a phone connects an account without a key: one for each session, the newest.
set local lock_timeout = '10s';

create table connect_link (
  session_id text primary key references session (id) on delete cascade,
  id text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The browser that has opened it, by the digest of its cookie; the link is of no use to any other.
  holder bytea,
  opened_at timestamptz,
  connected_at timestamptz,
  codes_asked integer not null default 0
);
