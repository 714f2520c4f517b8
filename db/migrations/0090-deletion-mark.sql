-- What must not come back to a tenant: messages from before `kept_since` were deleted by its retention, and `pepper` keys
-- the digests of erased addresses. It is sealed with the encryption key.
set local lock_timeout = '10s';

create table deletion_mark (
  agency_id text not null,
  tenant_id text not null,
  kept_since timestamptz,
  pepper bytea,
  primary key (agency_id, tenant_id)
);
