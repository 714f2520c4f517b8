-- Limits that stop automations: an operator's for one agency or for all, and the bounds of an agency's. Also the run
-- that a run repeats.
set local lock_timeout = '10s';

create table automation_stop (
  -- Empty where the automations of all agencies are stopped.
  agency_id text not null,
  -- The process that started last writes what its configuration says; an operator has the rest.
  stopped_by text not null check (stopped_by in ('operator', 'configuration')),
  stopped_at timestamptz not null,
  actor text,
  reason text,
  key_id text,
  primary key (agency_id, stopped_by)
);

-- The runs of automations that an agency may have at a time, and begin in a minute, unless it has limits of its own.
-- The process that started last writes what its configuration says.
create table automation_ceiling (
  one boolean primary key default true check (one),
  running integer not null default 0,
  per_minute integer not null default 0
);
insert into automation_ceiling default values;

-- The run that this one repeats from its start.
alter table automation_execution add column retry_of text;
