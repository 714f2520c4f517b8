-- Since when the work of an agency goes without a long break; null when a process of the release before has noted it.
set local lock_timeout = '10s';

alter table agency_at_work add column since timestamptz;
