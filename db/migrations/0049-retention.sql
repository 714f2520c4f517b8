-- How far the daily look for what tenants keep no longer has come.
set local lock_timeout = '10s';

create table retention_sweep (
  is_only boolean primary key default true check (is_only),
  -- The conversations up to this one are looked at.
  after_id text not null default '',
  ended_at timestamptz
);
insert into retention_sweep default values;
