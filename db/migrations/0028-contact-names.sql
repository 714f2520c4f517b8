-- The name of a person in the address book of one account: two accounts of a tenant may have the same person under
-- different names. `contact.name` is that of one of them.
set local lock_timeout = '10s';

alter table session_contact add column name text;
