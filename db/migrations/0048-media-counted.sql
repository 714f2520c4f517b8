-- Counts the files that messages had before the triggers of 0040 counted each change.
set local lock_timeout = '10s';

-- One statement, so that it sees the messages and what was counted of them at the same moment. A change that comes
-- later is counted by its trigger.
with counted as (
  delete from media_usage
)
insert into media_usage (agency_id, tenant_id, files, size_bytes)
select agency_id, tenant_id, count(*), sum((media->'stored'->>'sizeBytes')::bigint) from message
where media ? 'stored' group by agency_id, tenant_id;
