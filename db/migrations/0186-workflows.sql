-- Workflows that agencies define themselves, their versions, and how far each run of one is.
set local lock_timeout = '10s';

-- First, because it waits for an exclusive lock: the foreign keys below lock tables that inbound messages write.
-- The task of a workflow's definition that a step is of, such as `/do/0/greet`; null for automations in code.
alter table automation_step add column path text;

create table flow (
  id text primary key,
  agency_id text not null references agency (id) on delete cascade,
  -- The current version.
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A deleted workflow keeps its row, because runs that have begun may still need its definition.
  deleted_at timestamptz,
  -- Runs that have begun continue although the workflow is deleted and so switched off.
  runs_finish boolean not null default false
);
create index flow_agency on flow (agency_id, id) where deleted_at is null;

create table flow_version (
  flow_id text not null references flow on delete cascade,
  version integer not null,
  title text not null,
  form text not null check (form in ('json', 'yaml')),
  -- The text as the agency wrote it.
  source text not null,
  created_at timestamptz not null,
  -- The API key that asked.
  key_id text,
  primary key (flow_id, version)
);

create table flow_run (
  execution_id text primary key references automation_execution on delete cascade,
  flow_id text not null,
  -- The version with which the run began. The run keeps it.
  version integer not null,
  -- The version of the interpreter's rules.
  semantics integer not null,
  -- The number of the last row in `automation_step` that the task at hand writes.
  number integer not null,
  -- The position and the data; null until the first step.
  state jsonb,
  -- The task at hand with its evaluated input.
  todo jsonb,
  -- The result of the task at hand where its step has no place for it, such as the body of a response.
  result jsonb
);

-- Secrets for the HTTP requests of an agency's workflows.
create table flow_secret (
  agency_id text not null references agency (id) on delete cascade,
  name text not null,
  -- The only host that receives it, with its port if it is not the usual one.
  host text not null,
  -- Sealed with the engine's key.
  sealed bytea not null,
  updated_at timestamptz not null,
  primary key (agency_id, name)
);

-- The addresses by which other systems start workflows of tenants.
create table flow_hook (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  -- The name of the workflow as an automation of the tenant.
  automation text not null,
  -- The SHA-256 of the secret, which is random and long.
  digest bytea not null,
  created_at timestamptz not null,
  unique (agency_id, tenant_id, automation),
  foreign key (agency_id, tenant_id) references tenant (agency_id, id) on delete cascade
);
