-- Until when a run that waits for the answer to its own question owns its conversation, so that the agent does not
-- answer the same words.
set local lock_timeout = '10s';

alter table automation_execution add column owns_until timestamptz;
