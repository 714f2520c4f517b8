-- An endpoint that gets the events of one session, which that session's key may make. Its `tenant_ids` name the
-- session's tenant, by which a process of the previous release chooses while it runs beside.
set local lock_timeout = '10s';

alter table endpoint add column session_id text;
