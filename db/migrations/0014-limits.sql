-- Limits that the operator sets for one agency instead of the engine's own, and the requests that all processes have
-- counted. Counts may be lost in a crash of the server, so their table is written without the log.
set local lock_timeout = '10s';

alter table agency add column limits jsonb not null default '{}';

create unlogged table request_rate (
  subject text primary key,
  level double precision not null,
  spent double precision not null,
  burst double precision not null,
  per_second double precision not null,
  counted_at timestamptz not null
);
create index request_rate_counted_at on request_rate (counted_at);
