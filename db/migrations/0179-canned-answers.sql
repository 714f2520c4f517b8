-- Texts that people of a tenant put into their answers by a shortcut.
set local lock_timeout = '10s';

create table canned_answer (
  agency_id text not null,
  tenant_id text not null,
  shortcut text not null,
  text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (agency_id, tenant_id, shortcut)
);
