-- Whether a session may take over what the messaging backend already has under its name. Sessions of earlier releases
-- have been connected, so their names are theirs.
set local lock_timeout = '10s';

alter table session add column adopts boolean not null default false;
