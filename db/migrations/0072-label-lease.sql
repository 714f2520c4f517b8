-- Label changes by an automation start no automation, even if the network reports them first.
set local lock_timeout = '10s';

alter table label_lease add column by_automation boolean not null default false;
