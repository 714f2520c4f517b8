-- The labels of accounts and of their chats, and whom a send goes to that names nobody.
set local lock_timeout = '10s';

create table label (
  session_id text not null references session (id) on delete cascade,
  -- The network's id, unique in its session.
  id text not null,
  name text,
  color integer,
  color_hex text,
  is_deleted boolean not null default false,
  -- The time of the backend's report by the backend's clock: an older one changes nothing.
  told_at timestamptz not null default '-infinity',
  changed_at timestamptz not null,
  primary key (session_id, id)
);

-- By the address that the network used: a contact may have several, and whose each is may change.
create table chat_label (
  session_id text not null references session (id) on delete cascade,
  chat_id text not null,
  label_id text not null,
  -- A label that was taken off stays as a row, so that a late report of before does not put it on again.
  is_set boolean not null,
  told_at timestamptz not null default '-infinity',
  changed_at timestamptz not null,
  primary key (chat_id, session_id, label_id)
);
create index chat_label_label on chat_label (session_id, label_id, chat_id) where is_set;

-- When all labels of the account were read last.
create table label_import (
  session_id text primary key references session (id) on delete cascade,
  at timestamptz not null
);

-- The sole right to change a chat's labels at the backend, which replaces all of them: the next change waits.
create table label_lease (
  session_id text not null references session (id) on delete cascade,
  chat_id text not null,
  token text not null,
  leased_until timestamptz not null,
  primary key (session_id, chat_id)
);

-- A contactId or a chat id; null for the tenant's, which its settings have.
alter table api_key add column default_recipient text;
