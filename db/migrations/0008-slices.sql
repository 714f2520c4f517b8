-- Adds slices of broadcasts.

set local lock_timeout = '10s';

-- The slice whose execution has claimed the message, by the id of the slice's first message; null when the message's
-- own execution sends it.
alter table message add column slice text;
