-- The parts of definitions that lists and switches read, the audience of a run, and the task at which a run failed.
set local lock_timeout = '10s';

alter table automation_execution
  -- The contacts for whom a schedule began the run; null for every other run.
  add column audience jsonb,
  -- The task of a workflow's definition at which the run failed, such as `/do/0/greet`; null otherwise.
  add column failed_path text;

-- Null in versions that were stored before. Their source is parsed instead.
alter table flow_version
  add column summary text,
  add column params jsonb,
  add column trigger jsonb;
