-- Which agencies have sent lately, and when a session may start its next message while others send, too. A crash of the
-- server may lose who has sent, so that table is written without the log.
set local lock_timeout = '10s';

create unlogged table agency_at_work (
  agency_id text primary key,
  at timestamptz not null
);
create index agency_at_work_at on agency_at_work (at);

alter table session_pace add column next_start_at timestamptz;
