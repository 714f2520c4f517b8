-- Reports of the backend that the engine does not know: kinds of chats, events and contents, by name. The raw form of
-- the last one is in `backend_event` for as long as that keeps it.
set local lock_timeout = '10s';

create table unknown_report (
  kind text not null check (kind in ('chat', 'event', 'content')),
  name text not null,
  times bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  session_name text,
  event_on date,
  event_id bigint,
  primary key (kind, name)
);
