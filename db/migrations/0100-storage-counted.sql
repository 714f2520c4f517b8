-- Counts the files that tenants had before the triggers of 0099 noted each change.
set local lock_timeout = '10s';

-- One statement, so that it sees the rows and what was noted of them at the same moment. A change that comes later is
-- noted by its trigger.
with noted as (
  delete from storage_note
), named as (
  select agency_id, tenant_id, media->'stored'->>'key' as key,
    coalesce((media->'stored'->>'sizeBytes')::bigint, 0) as size_bytes
  from message where media ? 'stored' and media->'stored'->>'key' is not null
  union all
  select x.agency_id, x.tenant_id, p.key, p.size_bytes
  from tenant_export x join tenant_export_part p on p.export_id = x.id
  where x.gone_reason is null and p.name not like '%.webp'
  union all
  select agency_id, tenant_id, key, size_bytes from file_hold where ended_at is null
)
insert into storage_file (agency_id, tenant_id, key, named, size_bytes)
select agency_id, tenant_id, key, count(*), max(size_bytes) from named group by agency_id, tenant_id, key;

insert into storage_use (agency_id, tenant_id, size_bytes)
select agency_id, coalesce(tenant_id, ''), sum(size_bytes) from storage_file
group by grouping sets ((agency_id, tenant_id), (agency_id));
