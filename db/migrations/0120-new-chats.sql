-- The network's quota of new chats of an account, and how many first contacts a day a warned account opens until the
-- cycle ends.
set local lock_timeout = '10s';

alter table session_pace
  add column new_chats jsonb,
  add column first_contacts_cap integer,
  add column first_contacts_cap_until timestamptz;
