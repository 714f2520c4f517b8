-- The past of accounts: what of it is to be read, how far the reading is, and the chats that wait for their turn.
set local lock_timeout = '10s';

create table history_sync (
  session_id text primary key,
  agency_id text not null,
  tenant_id text not null,
  -- The account that is read; another one begins anew.
  account text,
  -- Since when the engine listens to the account: what was said before is its past, what was said since and is not here
  -- was missed.
  listens_from timestamptz not null,
  -- The bounds that somebody has asked for instead of those of the settings.
  asked_per_chat integer,
  asked_in_all integer,
  asked_days integer,
  -- Whether dashboards get an event for each message that is read.
  tells boolean not null default false,
  -- Somebody has stopped the reading: until it is asked for again, only what is new is read.
  is_held boolean not null default false,
  -- Why a run is to begin; null when none is. It lists so many pages of chats at least; null = all, 0 = none.
  wanted text,
  wanted_pages integer,
  -- The run that goes on, or the last one.
  cause text,
  started_at timestamptz,
  finished_at timestamptz,
  outcome text,
  per_chat integer,
  in_all integer,
  since timestamptz,
  -- The position of the next read in the list of chats; null at the end.
  list_offset integer,
  list_pages integer,
  chats integer not null default 0,
  messages bigint not null default 0,
  imported bigint not null default 0,
  missed integer not null default 0,
  -- Whether a bound has left something out.
  is_bounded boolean not null default false,
  -- The reason why the run waits.
  error text,
  -- Messages that all runs together have imported.
  imported_in_all bigint not null default 0,
  -- Finished reads soon after a link.
  late smallint not null default 0,
  told_at timestamptz,
  -- When the reconcile promises the next run, or this one again.
  next_at timestamptz
) with (fillfactor = 50);
create index history_sync_next on history_sync (next_at) where next_at is not null;

-- The chats that a run has still to read, those with the fewest messages read first.
create table history_read (
  session_id text not null,
  conversation_id text not null,
  -- The address under which the backend lists the chat.
  chat_id text not null,
  place bigint generated always as identity,
  -- The position of the next read in the chat, counted from its newest message.
  read integer not null default 0,
  -- The depth of former runs in it.
  read_before integer not null,
  -- Whether what is older than that is read, too.
  is_deep boolean not null,
  -- The bound of this chat alone; null = the run's.
  per_chat integer,
  primary key (session_id, conversation_id, chat_id)
) with (fillfactor = 50);
create index history_read_next on history_read (session_id, read, place);
