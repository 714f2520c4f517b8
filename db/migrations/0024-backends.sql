-- The servers of the messaging backend, as workers last found them. Their addresses and keys stay in the configuration.
set local lock_timeout = '10s';

create table backend (
  id text primary key,
  -- When a worker that has the server in its configuration last said so.
  configured_at timestamptz not null,
  -- Since when it gives no list of its sessions, and why; both are null while it does.
  down_since timestamptz,
  trouble text,
  check ((down_since is null) = (trouble is null))
);

-- The server that sent an event, as the signature says; null for events that the previous release has received.
alter table backend_event add column backend text;
alter table parked_event add column backend text;
