-- The calls of a tenant's workflows to other systems in an hour, for the bound of all its runs together.
set local lock_timeout = '10s';

create table flow_calls (
  agency_id text not null,
  tenant_id text not null,
  hour timestamptz not null,
  calls integer not null,
  primary key (agency_id, tenant_id),
  foreign key (agency_id, tenant_id) references tenant (agency_id, id) on delete cascade
);
