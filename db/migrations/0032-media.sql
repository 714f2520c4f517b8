-- Files that contacts send are fetched by workflows, and the events of their messages wait for them for a moment.
set local lock_timeout = '10s';

-- Events that are not written yet, in their order. The first of a conversation is that of a message whose file is being
-- fetched; what is told of the conversation later waits behind it.
create table held_event (
  place bigint generated always as identity primary key,
  event_id text not null,
  agency_id text not null,
  tenant_id text,
  session_id text not null,
  conversation_id text not null,
  -- The conversation whose first held event it waits behind: its own, or one that was merged into that meanwhile.
  held_in text not null,
  type text not null,
  -- Whether the event counts in the session's sequence.
  counts boolean not null,
  not_to text,
  -- The parts of the body (`write_events`).
  head text not null,
  tail text not null,
  whole text,
  middle text,
  -- The message whose file the event waits for, and until when; null for what only waits behind such an event.
  waits_for text,
  waits_until timestamptz,
  created_at timestamptz not null
);
create index held_event_held_in on held_event (held_in, place);
create index held_event_session on held_event (session_id);
create index held_event_message on held_event (waits_for) where waits_for is not null;
create index held_event_until on held_event (waits_until) where waits_until is not null;

-- Whether any event of the session is held: a transaction that emits locks this row anyway, so that a session without
-- files costs nothing more.
alter table session_sequence add column holds_events boolean not null default false;

-- The messages whose files are being fetched; a row is there until the fetch has ended.
create table media_fetch (
  message_id text primary key,
  agency_id text not null,
  tenant_id text not null,
  session_id text not null,
  -- Whether dashboards wait for the file.
  tells boolean not null,
  created_at timestamptz not null,
  promised_at timestamptz not null
);
create index media_fetch_promised on media_fetch (promised_at);
create index media_fetch_created on media_fetch (created_at);
