-- Data that must not come back to a tenant: its retention deleted messages from before `kept_since`.
set local lock_timeout = '10s';

create table deletion_mark (
  agency_id text not null,
  tenant_id text not null,
  kept_since timestamptz not null,
  primary key (agency_id, tenant_id)
);
