-- The backend's own keys of single sessions.
set local lock_timeout = '10s';

-- A key that opens one session at the backend, for requests that are passed on to it. A session without one goes by the
-- engine's own key.
create table session_backend_key (
  session_id text primary key references session (id) on delete cascade,
  -- Names the key at the backend.
  key_id text not null,
  secret bytea not null,
  made_at timestamptz not null default now()
);
