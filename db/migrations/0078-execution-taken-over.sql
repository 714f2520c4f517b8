-- When somebody has taken over the conversation of a run since it began. It stays after a release, because the run says
-- nothing then either.
set local lock_timeout = '10s';

alter table automation_execution add column taken_over_at timestamptz;
