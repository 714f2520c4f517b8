-- Windows in which messages may have been lost, and what has come of comparing them with the backend.
set local lock_timeout = '10s';

create table gap (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  session_id text not null,
  cause text not null,
  from_at timestamptz not null,
  -- Null while it lasts.
  to_at timestamptz,
  state text not null default 'open' check (state in ('open', 'comparing', 'closed')),
  -- When it is compared next; null while it lasts, and once it is closed.
  compare_at timestamptz,
  -- The last pass has compared the chats whose last message is not after this, in Unix seconds.
  cursor_s bigint,
  passes integer not null default 0,
  attempts integer not null default 0,
  chats integer not null default 0,
  messages integer not null default 0,
  recovered integer not null default 0,
  own integer not null default 0,
  revoked integer not null default 0,
  left_unknown text[] not null default '{}',
  opened_at timestamptz not null,
  compared_at timestamptz,
  closed_at timestamptz
);
create unique index gap_unclosed on gap (session_id, cause) where state <> 'closed';
create index gap_session on gap (session_id, id);
create index gap_closed on gap (closed_at) where closed_at is not null;

alter table session
  -- When the next of its gaps is to be compared; null while none is.
  add column gaps_due_at timestamptz,
  add column audited_at timestamptz,
  -- Since when all that its contacts write is to be here; null before its first audit.
  add column told_since timestamptz,
  -- The account of which that holds; another one has another past.
  add column told_account text;

-- True for a message that was fetched because the backend has not told of it.
alter table message add column recovered boolean not null default false;

-- One row: when a process has last taken events, and between which times none did, until the gaps of that are written.
create table receiving (
  is_one boolean primary key default true check (is_one),
  beat_at timestamptz not null,
  lost_from timestamptz,
  lost_to timestamptz
);

alter table backend
  -- When its process was started, as it says, and when it has last answered.
  add column started_at timestamptz,
  add column answered_at timestamptz;
