-- Each credential names its maker, so that the end of the maker can end it.
set local lock_timeout = '10s';

alter table api_key
  add column made_by text references api_key (id) on delete cascade,
  -- False for keys of earlier releases: their holders were told that only their own end ends them.
  add column ends_with_maker boolean not null default false;

-- The scopes of its maker when it was made. Null for links of earlier releases, whose maker is asked at each use.
alter table console_link add column scopes text[];

-- The id of a key or of a console link, or `master`. Null where an earlier release has made it: then the audit knows.
alter table connect_link add column maker text;
