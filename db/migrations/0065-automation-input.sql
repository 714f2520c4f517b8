-- The subject of a requested run, and the name that its request gave it.
set local lock_timeout = '10s';

alter table automation_execution
  add column input jsonb,
  -- A new run of the automation with the same key takes the place of one that is under way.
  add column request_key text;
