-- Actions on messages that dashboards request and the network must have: edits, deletions for everyone, reactions.
set local lock_timeout = '10s';

create table message_action (
  id text primary key,
  -- Actions on one message are done in this order.
  seq bigint generated always as identity,
  agency_id text not null,
  tenant_id text not null,
  session_id text not null,
  message_id text not null references message (id) on delete cascade,
  kind text not null,
  -- The new words of an edit, or the emoji of a reaction, which is empty where it takes the reaction away.
  value text,
  status text not null,
  reason text,
  detail text,
  attempts integer not null default 0,
  key_id text,
  created_at timestamptz not null,
  -- From then on the network does not do it any more.
  expires_at timestamptz not null,
  promised_at timestamptz not null,
  -- The attempt that calls the backend, and until when no other does.
  claim_token uuid,
  claimed_until timestamptz,
  ended_at timestamptz
);
create index message_action_of on message_action (message_id, seq);
create index message_action_open on message_action (session_id) where ended_at is null;
create index message_action_promised on message_action (promised_at) where ended_at is null;
