-- Says when the releaser looks at each session again, so that processes find what is due by one index and not by asking
-- for every session.

set local lock_timeout = '10s';

-- The time from which one process may take the session and release its heads; null when no passing of time would
-- release anything. Sessions that are there already are looked at once.
alter table session_pace add column release_at timestamptz default 'epoch';
alter table session_pace alter column release_at drop default;

-- The sends that a session and the whole backend may have in flight at a time, as the process that started last was
-- configured, like the pace. The same for all processes, because the sends of all of them count.
alter table pace_default add column sends_per_session integer not null default 4,
  add column sends_per_backend integer not null default 64;
