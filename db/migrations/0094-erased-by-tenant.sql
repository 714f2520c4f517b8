-- A tenant that is read in from an export has the peppers, and so the digests, of the tenant that was exported. Both
-- may be in one database. No release before this one writes these rows.
set local lock_timeout = '10s';

alter table erased_address drop constraint erased_address_pkey, add primary key (agency_id, tenant_id, digest);
