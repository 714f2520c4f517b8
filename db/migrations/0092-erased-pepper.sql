-- The pepper of a tenant's erased addresses, sealed with the encryption key: a key that replaces another one leaves the
-- digests as they are.
set local lock_timeout = '10s';

create table erased_pepper (
  agency_id text not null,
  tenant_id text not null,
  sealed bytea not null,
  primary key (agency_id, tenant_id)
);
