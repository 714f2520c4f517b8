-- What a run that somebody has asked for is about, and the name that they have given it.
set local lock_timeout = '10s';

alter table automation_execution
  add column input jsonb,
  -- A new run of the automation with the same key takes the place of one that is under way.
  add column request_key text;
