-- Lets merges of contacts be undone, and keeps when the network is asked for the phones behind hidden ids.
set local lock_timeout = '10s';

alter table contact_merge
  -- The contact that stays, as the merge left it.
  add column after jsonb,
  -- Whether dashboards are yet to be told.
  add column is_untold boolean,
  add column undone_at timestamptz,
  -- Whether old messages of long conversations are yet to be moved back.
  add column undo_unfinished boolean,
  -- The addresses of the two contacts when the merge was undone: contacts that have one of each are never merged again.
  add column apart_from text[],
  add column apart_into text[];
alter table merge_move
  -- The receiving conversation, as the step left it.
  add column after jsonb,
  add column undone_at timestamptz;
alter table merge_move drop constraint merge_move_kind_check;
alter table merge_move add constraint merge_move_kind_check check (kind in ('conversation', 'conversation_contact',
  'conversation_lead', 'message', 'ai_turn', 'handover', 'parked_own_message', 'contact_alias', 'memory',
  'memory_superseded', 'ai_reservation')) not valid;

-- The address under which the network told the message, where it is another one than the conversation's.
alter table message add column chat_id text;

alter table contact
  -- When the network is asked next for the phone of a contact who is known by a hidden id alone; null when it is not
  -- asked. Also the number of these requests, and the session that asks.
  add column ask_phone_at timestamptz,
  add column phone_asks smallint not null default 0,
  add column ask_session_id text;

-- No release has these; a database of this one's development may.
drop function if exists receive_messages(jsonb, timestamptz, interval);
drop function if exists take_merge_handovers(text);

-- The members of a group, as the network last reported them, with the time of the report.
create table group_member (
  conversation_id text not null references conversation (id),
  chat_id text not null,
  -- The phone that the network names with a hidden id.
  phone_chat_id text,
  role text not null,
  primary key (conversation_id, chat_id)
);
alter table conversation add column members_at timestamptz;
