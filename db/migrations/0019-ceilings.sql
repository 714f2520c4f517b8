-- The most that agencies and tenants may spend on models in a day, and have of tenants. Every process writes the row at
-- its start; 0 is no ceiling.
set local lock_timeout = '10s';

create table ceiling (
  one boolean primary key default true check (one),
  tenant_tokens bigint not null default 0,
  tenant_cost_micros bigint not null default 0,
  agency_tokens bigint not null default 0,
  agency_cost_micros bigint not null default 0,
  tenants integer not null default 0
);
insert into ceiling default values;
