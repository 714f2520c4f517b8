-- The progress of the daily check of records of tenants that keep them for fewer days than the engine.
set local lock_timeout = '10s';

create table retention_place (
  agency_id text not null,
  tenant_id text not null,
  -- raw_events, events or requests (`db/personal-data/record-retention.ts`).
  kind text not null,
  -- The last event that is blanked, in the order of pulls.
  txid xid8 not null default '0',
  place bigint not null default -9223372036854775808,
  -- Requests up to this time are looked at.
  at timestamptz not null default '-infinity',
  looked_at timestamptz not null default '-infinity',
  primary key (kind, agency_id, tenant_id),
  foreign key (agency_id, tenant_id) references tenant (agency_id, id)
);
create index retention_place_due on retention_place (kind, looked_at);
