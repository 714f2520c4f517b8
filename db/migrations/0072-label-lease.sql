-- What an automation does to labels starts no automation, also where the network tells of it first.
set local lock_timeout = '10s';

alter table label_lease add column by_automation boolean not null default false;
