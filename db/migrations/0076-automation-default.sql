-- An agency's setting of an automation for all its tenants, and the tenants that follow it.
set local lock_timeout = '10s';

create table automation_default (
  agency_id text not null references agency (id) on delete cascade,
  definition text not null,
  enabled boolean not null,
  -- In the form that the definition's schema gives them, as in `automation`.
  params jsonb not null,
  trigger jsonb not null,
  -- Grows by one with every change; `automation_default_change` has each.
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (agency_id, definition)
);

create table automation_default_change (
  agency_id text not null,
  definition text not null,
  version integer not null,
  enabled boolean not null,
  params jsonb not null,
  at timestamptz not null,
  -- The API key that asked.
  key_id text,
  primary key (agency_id, definition, version),
  foreign key (agency_id, definition) references automation_default on delete cascade
);

-- The tenant has set nothing of its own, so what the agency sets next holds for it, too.
alter table automation add column follows_agency boolean not null default false;
