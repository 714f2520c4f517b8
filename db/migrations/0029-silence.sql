-- Sessions that say that they work and hear nothing: when each has last heard a contact, at which hours of the week it
-- usually does, and what has come of comparing it with its backend.
set local lock_timeout = '10s';

alter table session
  -- Why it is taken for silent; null while it is not.
  add column suspect text,
  -- When it is compared with its backend next; null while only its supervisor's own looks do so.
  add column compare_at timestamptz,
  add column compared_at timestamptz,
  -- Since when it has heard nothing, from when that was told until it was told that it hears again.
  add column silent_since timestamptz,
  add column silence_restarts integer not null default 0,
  add column silence_restart_at timestamptz,
  -- The number of these reports in all.
  add column silences integer not null default 0;

-- This row is written while messages come in, so the wide pattern has a table of its own.
create table session_hearing (
  session_id text primary key,
  heard_at timestamptz not null,
  -- When the reconcile looks at it next.
  look_at timestamptz not null default '-infinity',
  -- Up to here the pattern is learned; null before the first look.
  learned_until timestamptz,
  -- Since when the engine has listened without a break.
  listens_from timestamptz,
  -- The last received event when the session was last unusually quiet, and the degree of that.
  asked_for timestamptz,
  asked_evidence real not null default 0
) with (fillfactor = 50);
create index session_hearing_look on session_hearing (look_at);

create table session_pattern (
  session_id text primary key,
  -- For each hour of the week: in how many weeks something was heard, and how many weeks were listened to.
  heard real[] not null,
  seen real[] not null
) with (fillfactor = 50);
