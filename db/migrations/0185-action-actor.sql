-- The name of the person who requested an edit, a deletion or a reaction, if the holder of the key gave one.
set local lock_timeout = '10s';

alter table message_action add column actor text;
