-- The run of an automation that said a message, so that the claim asks whether the run may still say it, and whether
-- the message only holds while what began the run is still so.
set local lock_timeout = '10s';

alter table message add column execution_id text, add column while_so boolean;
