-- Automations: what a tenant has switched on of the definitions in code, each run of one, and the run's steps.
set local lock_timeout = '10s';

create table automation (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  definition text not null,
  enabled boolean not null,
  -- The parameters in the form that the definition's schema gives them.
  params jsonb not null,
  -- The trigger of a run, as the definition gives it for these parameters.
  trigger jsonb not null,
  -- Grows by one with every change; `automation_change` has each.
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (agency_id, tenant_id, definition),
  foreign key (agency_id, tenant_id) references tenant (agency_id, id)
);

create table automation_change (
  automation_id text not null references automation on delete cascade,
  version integer not null,
  enabled boolean not null,
  params jsonb not null,
  at timestamptz not null,
  -- The API key that asked.
  key_id text,
  primary key (automation_id, version)
);

create table automation_execution (
  id text primary key,
  automation_id text not null references automation on delete cascade,
  agency_id text not null,
  tenant_id text not null,
  session_id text,
  conversation_id text,
  contact_id text,
  definition text not null,
  -- The version of the code that began it; null until then.
  definition_version integer,
  params jsonb not null,
  -- The event that began it, or the request; ids only.
  trigger jsonb not null,
  -- One trigger starts an automation once.
  trigger_key text not null,
  status text not null check (status in ('running', 'completed', 'failed', 'cancelled')),
  reason text,
  -- The reason of its workflow's wait, and the latest end; null while it works.
  waits_for text,
  waits_until timestamptz,
  -- The hands that the conversation was in when it began: it says nothing once somebody has taken over since.
  conversation_epoch integer,
  created_at timestamptz not null,
  -- When its workflow was promised last; a run that nothing runs is promised again.
  promised_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  unique (automation_id, trigger_key)
);
create index automation_execution_list on automation_execution (agency_id, tenant_id, created_at desc, id desc);
create index automation_execution_conversation on automation_execution (conversation_id) where status = 'running';
create index automation_execution_contact on automation_execution (automation_id, conversation_id, created_at);
create index automation_execution_running on automation_execution (id) where status = 'running';
create index automation_execution_ended on automation_execution (ended_at) where status <> 'running';

create table automation_step (
  execution_id text not null references automation_execution on delete cascade,
  number integer not null,
  name text not null,
  -- Ids and words of closed lists; never what somebody has said.
  detail jsonb not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (execution_id, number)
);

-- An automation may have sent a message, too. The rows that there are need no look: they hold by the narrower rule.
alter table message drop constraint message_via_check;
alter table message add constraint message_via_check check (via in ('passthrough', 'automation')) not valid;
