-- A run of an automation that waits for its turn among those of its agency has no promise yet.
set local lock_timeout = '10s';

alter table automation_execution alter column promised_at drop not null;
