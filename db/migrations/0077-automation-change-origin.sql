-- Whether a version of a tenant's automation is what its agency has set for all its tenants.
set local lock_timeout = '10s';

alter table automation_change add column follows_agency boolean not null default false;
