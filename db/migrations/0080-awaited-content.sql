-- Messages of contacts that have come without their content. Their events wait until the content comes, or until
-- `until`; a row is there until the event is written.
set local lock_timeout = '10s';

create table awaited_content (
  message_id text primary key,
  agency_id text not null,
  tenant_id text not null,
  session_id text not null,
  -- The message as the network has told it.
  message jsonb not null,
  recovered boolean not null,
  until timestamptz not null
);
create index awaited_content_until on awaited_content (until);
