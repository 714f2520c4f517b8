-- What the promises need at their edges: people with two identities, pulled order, clocks, the agent's failures,
-- repairs.

-- Readers wait for these locks, too (docs/deploy.md): better to begin again than to stand in their way.
set local lock_timeout = '10s';

-- Events from before there were places have those of their deliveries of then; the others lie before all, each its own.
-- It comes first because it reads all events: nobody may wait for a lock meanwhile.
update event e set place = coalesce((select min(d.id) from delivery d where d.event_id = e.id), -old.number)
from (
  select id, created_at, row_number() over (order by txid desc, id desc) as number from event where place is null) old
where e.id = old.id and e.created_at = old.created_at;

-- People who have two identities.

-- ensure_contact(text, text, text[], text, text, text) and merge_conversation(text, text) stay for a release: until the
-- functions follow, those of the previous one call them.

-- Which two contacts were merged, when, and why: the ledger by which a merge can be undone.
create table contact_merge (
  id bigint generated always as identity primary key,
  agency_id text not null,
  tenant_id text not null,
  at timestamptz not null default clock_timestamp(),
  -- Null where a conversation without a person was merged.
  from_contact_id text,
  into_contact_id text not null,
  -- A message that bore the addresses of both, the check of a number before the first send to it, or the network's
  -- answer to whose a hidden id is.
  cause text not null check (cause in ('message', 'number_check', 'hidden_id_check')),
  session_id text,
  network_id text,
  -- The addresses that were found to be one person's.
  chat_ids text[] not null,
  -- The contacts, and what the agent had used for the one that went: as they were.
  before jsonb not null default '{}'
);
create index contact_merge_from on contact_merge (from_contact_id);
create index contact_merge_into on contact_merge (into_contact_id);
-- What moved from where, in as many rows as there were steps; `ids` are those of the rows of `kind`.
create table merge_move (
  id bigint generated always as identity primary key,
  merge_id bigint not null references contact_merge (id),
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('conversation', 'conversation_contact', 'message', 'ai_turn', 'handover',
    'parked_own_message', 'contact_alias', 'memory', 'memory_superseded')),
  from_id text,
  into_id text not null,
  ids text[] not null,
  -- Of a conversation: both rows as they were, the turns that ended, and the places in the queue.
  before jsonb
);
create index merge_move_merge on merge_move (merge_id, id);
-- Old messages of a long conversation follow it later: the merge that has not moved them all.
alter table conversation add column unfinished_merge bigint references contact_merge (id);
-- When the network was asked for the phone of a person who is known by a hidden id alone.
alter table contact add column phone_asked_at timestamptz;
-- Where a merge gave a conversation to a person: the one that went, and whether dashboards are yet to be told.
alter table handover add column merged_from text, add column is_untold boolean;

-- Own messages that wait to be known.

-- One that cannot be adopted is tried again, later each time, and is in nobody's way.
alter table parked_own_message add column attempts integer not null default 0, add column retry_at timestamptz,
  add column error text;
-- When the backend told of it; null where it was read in the history.
alter table parked_own_message add column received_at timestamptz;
-- What an event that is not applied yet hides of a person on the phone: the id of an own message that is live, and the
-- addresses of its chat.
alter table backend_event add column own_network_id text, add column own_chat_ids text[];

-- Events in the order of their sequence.
-- The highest number of a transaction that has told an event of the session: what it tells next is pulled under this
-- one or a higher.
alter table session_sequence add column last_txid xid8 not null default '0';
-- Up to where events are gone with their partitions: a cursor from before it cannot go on without a gap.
create table event_expiry (
  agency_id text primary key references agency (id),
  txid xid8 not null,
  place bigint not null
);

-- Backend events that stay.
create table parked_event (
  -- That of the backend event.
  id bigint primary key,
  session_name text not null,
  request_key text not null,
  body text not null,
  received_at timestamptz not null,
  parked_at timestamptz not null default clock_timestamp(),
  attempts integer not null,
  -- Why it could not be applied when it was tried last.
  error text,
  status text not null default 'parked' check (status in ('parked', 'applied', 'ignored')),
  ended_at timestamptz,
  unique (session_name, request_key)
);
create index parked_event_parked on parked_event (id) include (parked_at) where status = 'parked';
create index parked_event_ended on parked_event (ended_at) where ended_at is not null;

-- Outcomes that nobody knows.

-- Where no read shows a send, an ack in its chat may be all that does.
alter table parked_ack add column chat_id text;

-- The agent when no model answers, and what was read.

-- When a model is asked again about the messages of a turn that none answered: they stay owed, and name it as theirs
-- meanwhile.
alter table ai_turn add column retry_at timestamptz;

-- Repairs of repairs.

-- What repairs: when each was last done, which process is at it, and how often it failed.
create table repair (
  name text primary key,
  done_at timestamptz,
  claimed_until timestamptz,
  failures bigint not null default 0,
  failed_at timestamptz,
  -- The class and code of the last error: its words may hold what the rows hold.
  error text
);
-- How often a workflow was promised again although its row has not moved since (`count_promise`).
create table repeated_promise (
  workflow_id text primary key,
  times integer not null default 1,
  counted_at timestamptz not null
);
create index repeated_promise_counted on repeated_promise (counted_at);
alter table dispatch add column times_promised integer not null default 0;
-- The namespace of Temporal whose store the promises went to: another id is another store, which knows nothing of them.
create table temporal_store (
  one boolean primary key default true check (one),
  namespace_id text not null
);

-- Sessions that the backend has lost.

-- When a session's supervisor was last asked to look because the backend's list differed from the row.
alter table session add column look_asked_at timestamptz;

-- Whose turn it was to ask a backend for all its sessions: once in so long, by one process.
create table session_list_turn (
  backend text primary key,
  taken_at timestamptz not null
);
