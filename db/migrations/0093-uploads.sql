-- Until when a client's upload keeps a file that no row names yet. An erasure of somebody who had an equal file leaves
-- it.
set local lock_timeout = '10s';

alter table media_key add column uploaded_until timestamptz;
