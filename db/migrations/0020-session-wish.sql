-- The wished state of a session, and its supervisor's actions for it. A supervisor restarts a session that has stopped
-- by itself, and leaves one alone that a person has stopped.
set local lock_timeout = '10s';

alter table session
  add column wish text not null default 'running',
  add column wished_at timestamptz,
  add column asked text,
  add column asked_at timestamptz,
  add column acted text,
  add column acted_at timestamptz,
  add column restarts integer not null default 0,
  add column deleted_at timestamptz;

-- Nobody knows any more who stopped these, but they have been left alone until now. Sessions that have just stopped may
-- be on their way through a restart of the backend.
update session set wish = 'stopped' where status = 'STOPPED' and status_changed_at < now() - interval '10 minutes';
