-- The extra rights of a session's key beyond acting for its session. Keys of earlier releases may do nothing beyond
-- that.
set local lock_timeout = '10s';

alter table api_key add column scopes text[] not null default '{}';
