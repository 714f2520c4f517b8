-- When the backend was asked for the content of a message that came without it, so that it is asked once.
set local lock_timeout = '10s';

alter table message add column content_asked_at timestamptz;
