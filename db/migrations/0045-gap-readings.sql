-- Which chats a reader's request has compared for a gap, before the session's supervisor came to them.
set local lock_timeout = '10s';

create table gap_reading (
  gap_id text not null references gap (id) on delete cascade,
  conversation_id text not null,
  -- The gap as it was then; it may have been widened since.
  up_to timestamptz not null,
  primary key (gap_id, conversation_id)
);
