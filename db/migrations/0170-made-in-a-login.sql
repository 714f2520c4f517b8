-- Names the login of the console in which a credential was made, so that its end can end what it made. Rows of earlier
-- releases name none. There is no foreign key: a login that is over has no row.
set local lock_timeout = '10s';

alter table api_key add column login_id text;
create index api_key_login on api_key (login_id) where login_id is not null;

alter table console_link add column login_id text;
create index console_link_login on console_link (login_id) where login_id is not null;

alter table open_stream add column login_id text;
