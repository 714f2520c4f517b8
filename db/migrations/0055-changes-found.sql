-- Changes of messages that comparisons with the backend find, and the read positions of chats on the account's devices.
set local lock_timeout = '10s';

-- Edits, reactions and votes that were missed and are here now.
alter table gap add column changed integer not null default 0;
-- False where a reader's request has not read the chat as far back as the gap goes.
alter table gap_reading add column is_whole boolean not null default true;

-- The time of the last message that the account's own devices have read, or written: what a contact wrote before it and
-- comes late makes nothing unread.
alter table conversation add column read_up_to timestamptz;

-- The column is for the engine's work; what it changes of the unread count is told by that.
create or replace function note_conversation_for_mirror() returns trigger language plpgsql as $$
declare
  v_unshown constant text[] := array['last_seq', 'typing_until', 'human_active_at', 'contacted', 'last_inbound_at',
    'members_at', 'name_told_at', 'history_synced', 'history_complete', 'unfinished_merge', 'taken_over_by',
    'read_up_to'];
begin
  if not exists (select from mirror w where w.agency_id = new.agency_id and w.conversations
      and (w.tenant_id is null or w.tenant_id = new.tenant_id)) then
    return null;
  end if;
  if tg_op = 'UPDATE' and to_jsonb(old) - v_unshown = to_jsonb(new) - v_unshown then return null; end if;
  insert into mirror_note (session_id, conversation_id) values (new.session_id, new.id);
  return null;
end
$$;
