-- Adds what the engine needs to keep its promises in rare cases: contacts with two identities, the order of pulled
-- events, clocks, failures of the agent's models, and repairs.

-- Readers wait for these locks, too (docs/operate/upgrade.md), so the migration gives up and begins again rather than
-- hold them up.
set local lock_timeout = '10s';

-- Events that were written before there were places get the places of their deliveries; events without a delivery come
-- before all of those, each with a place of its own. This comes first because it reads all events, and no lock may be
-- held so long.
update event e set place = coalesce((select min(d.id) from delivery d where d.event_id = e.id), -old.number)
from (
  select id, created_at, row_number() over (order by txid desc, id desc) as number from event where place is null) old
where e.id = old.id and e.created_at = old.created_at;

-- Contacts with two identities.

-- ensure_contact(text, text, text[], text, text, text) and merge_conversation(text, text) stay for one release: the
-- functions of the previous release call them until they are replaced.

-- Records which two contacts were merged, when, and why. By this ledger a merge can be undone.
create table contact_merge (
  id bigint generated always as identity primary key,
  agency_id text not null,
  tenant_id text not null,
  at timestamptz not null default clock_timestamp(),
  -- The contact that was merged into the other; null when a conversation without a contact was merged.
  from_contact_id text,
  into_contact_id text not null,
  -- The cause: a message with the addresses of both, the check of a number before the first send to it, or the
  -- network's answer about a hidden id.
  cause text not null check (cause in ('message', 'number_check', 'hidden_id_check')),
  session_id text,
  network_id text,
  -- The addresses that were found to be one person's.
  chat_ids text[] not null,
  -- Both contacts as they were, and the agent's usage for the one that was merged into the other.
  before jsonb not null default '{}'
);
create index contact_merge_from on contact_merge (from_contact_id);
create index contact_merge_into on contact_merge (into_contact_id);
-- The rows that a merge has moved, one row for each step; `ids` are the ids of rows of `kind`.
create table merge_move (
  id bigint generated always as identity primary key,
  merge_id bigint not null references contact_merge (id),
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('conversation', 'conversation_contact', 'message', 'ai_turn', 'handover',
    'parked_own_message', 'contact_alias', 'memory', 'memory_superseded')),
  from_id text,
  into_id text not null,
  ids text[] not null,
  -- The row of a conversation before the step, or both rows of a merge, with the turns that were ended and the places
  -- in the queue.
  before jsonb
);
create index merge_move_merge on merge_move (merge_id, id);
-- Names the merge whose old messages have not all followed yet, because those of a long conversation follow later.
alter table conversation add column unfinished_merge bigint references contact_merge (id);
-- Says when the network was asked for the phone of a contact who is known by a hidden id alone.
alter table contact add column phone_asked_at timestamptz;
-- The conversation that was merged into this one, if a merge caused the handover, and whether dashboards are yet to be
-- told.
alter table handover add column merged_from text, add column is_untold boolean;

-- Parked own messages.

-- A message that cannot be adopted is tried again after growing pauses, and holds up no other.
alter table parked_own_message add column attempts integer not null default 0, add column retry_at timestamptz,
  add column error text;
-- Says when the backend told of the message; null when it was read in the history.
alter table parked_own_message add column received_at timestamptz;
-- Shows the agent a person on the phone before the event is applied: the id of a live own message, and the addresses of
-- its chat.
alter table backend_event add column own_network_id text, add column own_chat_ids text[];

-- The highest transaction number of the session's events; its next events are pulled under this number or a higher one.
alter table session_sequence add column last_txid xid8 not null default '0';
-- Records up to which place events were dropped with their partitions; a cursor from before that place cannot go on
-- without a gap.
create table event_expiry (
  agency_id text primary key references agency (id),
  txid xid8 not null,
  place bigint not null
);

-- Backend events that are kept.
create table parked_event (
  -- The id of the backend event.
  id bigint primary key,
  session_name text not null,
  request_key text not null,
  body text not null,
  received_at timestamptz not null,
  parked_at timestamptz not null default clock_timestamp(),
  attempts integer not null,
  -- The error of the last attempt to apply the event.
  error text,
  status text not null default 'parked' check (status in ('parked', 'applied', 'ignored')),
  ended_at timestamptz,
  unique (session_name, request_key)
);
create index parked_event_parked on parked_event (id) include (parked_at) where status = 'parked';
create index parked_event_ended on parked_event (ended_at) where ended_at is not null;

-- Sends of unknown outcome.

-- When no read shows a send, an ack in its chat may be the only sign of it.
alter table parked_ack add column chat_id text;

-- The agent when no model answers.

-- Says when a model is asked again about the messages of a turn that no model answered; they stay owed, and name this
-- turn as theirs until then.
alter table ai_turn add column retry_at timestamptz;

-- The state of repairs.

-- The repairs: when each was last done, which process does it, and how often it failed.
create table repair (
  name text primary key,
  done_at timestamptz,
  claimed_until timestamptz,
  failures bigint not null default 0,
  failed_at timestamptz,
  -- The class and code of the last error; its text may contain personal data of the rows.
  error text
);
-- Counts how often a workflow was promised again although its row has not moved since (`count_promise`).
create table repeated_promise (
  workflow_id text primary key,
  times integer not null default 1,
  counted_at timestamptz not null
);
create index repeated_promise_counted on repeated_promise (counted_at);
alter table dispatch add column times_promised integer not null default 0;
-- The id of the Temporal namespace to whose store the promises went; another id means another store, which has none of
-- them.
create table temporal_store (
  one boolean primary key default true check (one),
  namespace_id text not null
);

-- Sessions that the backend has lost.

-- Says when a session's supervisor was last asked to look because the backend's list differed from the row.
alter table session add column look_asked_at timestamptz;

-- Says when a backend was last asked for all its sessions; of all processes, one may ask in each period.
create table session_list_turn (
  backend text primary key,
  taken_at timestamptz not null
);
