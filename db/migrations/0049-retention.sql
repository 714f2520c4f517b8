-- The progress of the daily check for rows that tenants have ceased to keep.
set local lock_timeout = '10s';

create table retention_sweep (
  is_only boolean primary key default true check (is_only),
  -- The conversations up to this one are looked at.
  after_id text not null default '',
  ended_at timestamptz
);
insert into retention_sweep default values;
