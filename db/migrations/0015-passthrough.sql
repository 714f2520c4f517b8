-- Messages that clients of the backend send by its own routes.
set local lock_timeout = '10s';

-- Says that a message came by a route of the backend. Its origin says as ever whose it is, which the previous release
-- reads, too.
alter table message add column via text check (via in ('passthrough'));

alter table request_log add column request_bytes bigint not null default 0;

-- A send that was passed on and is not in the inbox yet: an own message that the network shows meanwhile may be it.
create table passthrough_send (
  -- The id that the message gets.
  id text primary key,
  session_id text not null,
  conversation_id text not null references conversation (id),
  origin text not null check (origin in ('api', 'person')),
  kind text not null,
  body text not null default '',
  started_at timestamptz not null,
  -- When the engine lost the answer; null while it waits for it.
  lost_at timestamptz
);
create index passthrough_send_session on passthrough_send (session_id);
