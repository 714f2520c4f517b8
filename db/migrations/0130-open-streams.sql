-- The streams of events that readers have open at the processes of the API.
set local lock_timeout = '10s';

create table open_stream (
  id text primary key,
  -- The number of the process that holds the connection (`Wakeups.owner`).
  process text not null,
  agency_id text not null,
  -- The key or the console link by which it was opened; neither for the master key.
  key_id text,
  link_id text,
  -- The only tenant and the only session that it shows; null for all.
  tenant_id text,
  session_id text,
  opened_at timestamptz not null,
  -- The process writes this again and again while the stream is open. It is in no index, so that this is cheap.
  seen_at timestamptz not null,
  -- When somebody asked for its end. The process deletes the row once the connection has ended.
  end_asked_at timestamptz
) with (fillfactor = 70);
create index open_stream_agency on open_stream (agency_id, opened_at desc, id desc);
create index open_stream_end_asked on open_stream (process) where end_asked_at is not null;
