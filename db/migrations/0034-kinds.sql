-- Later changes of messages: edits, reactions and votes. The content of messages is in `content`.
set local lock_timeout = '10s';

-- No release has these; a database of this one's development may.
drop function if exists receive_messages(jsonb, timestamptz, interval);
drop function if exists insert_network_message(text, jsonb, timestamptz);

alter table message
  -- When the newest edit was made, of which `body` has the words.
  add column edited_at timestamptz,
  -- When the engine last heard of a reaction to the message, or of a vote.
  add column responded_at timestamptz,
  add column revoked_by text;

-- The versions of messages that were edited; the first has an empty `edit_id`.
create table message_version (
  message_id text not null references message (id) on delete cascade,
  edit_id text not null,
  body text not null,
  -- By the clock of whoever made the edit, and when the backend told of it, which decides between edits of one moment.
  at timestamptz not null,
  told_at timestamptz not null,
  primary key (message_id, edit_id)
);

-- People's responses to messages: their reaction, or their vote in a poll. Each person has one of a kind, the latest.
create table message_response (
  message_id text not null references message (id) on delete cascade,
  kind text not null check (kind in ('reaction', 'vote')),
  -- `account`, `contact` in a direct chat, else the address of a member of the group.
  responder text not null,
  -- The emoji, or the chosen options; empty when it was taken away, null when the backend could not read it.
  value text[],
  at timestamptz not null,
  told_at timestamptz not null,
  primary key (message_id, kind, responder)
);

-- Changes of messages that have not come yet.
create table parked_change (
  session_id text not null,
  network_id text not null,
  key text not null,
  change jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (session_id, network_id, key)
);
create index parked_change_at on parked_change (at);
