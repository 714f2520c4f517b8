-- The contact that an erasure was asked for. `contact_id` is the one that this person is at each step.
set local lock_timeout = '10s';

alter table erasure add column asked_contact_id text;
