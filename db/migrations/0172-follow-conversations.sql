-- As for messages (`0171-follow-messages.sql`), in a transaction of its own: one that locks both tables would wait for
-- a send that locks them in the other order.
set local lock_timeout = '10s';

create or replace function touch_conversation() returns trigger language plpgsql as $$
begin
  if (old.last_message_id, old.last_message_at, old.unread_count, old.mode, old.assigned_to, old.assigned_reason,
      old.name, old.contact_id, old.chat_id, old.merged_into)
    is distinct from (new.last_message_id, new.last_message_at, new.unread_count, new.mode, new.assigned_to,
      new.assigned_reason, new.name, new.contact_id, new.chat_id, new.merged_into)
  then
    new.updated_at := clock_timestamp();
  end if;
  return new;
end
$$;

create function follow_new_conversation() returns trigger language plpgsql as $$
begin
  -- The names are indexed soon (`db/conversations/search/due.sql`).
  insert into search_due (agency_id, tenant_id, conversation_id) values (new.agency_id, new.tenant_id, new.id);
  -- A conversation without a message is in no list.
  if new.last_message_at is null then return null; end if;
  insert into chat_count (session_id, change) values (new.session_id, 1);
  if exists (select from mirror w where w.agency_id = new.agency_id and w.conversations
      and (w.tenant_id is null or w.tenant_id = new.tenant_id)) then
    insert into mirror_note (session_id, conversation_id) values (new.session_id, new.id);
  end if;
  return null;
end
$$;

create function follow_changed_conversation() returns trigger language plpgsql as $$
begin
  if (old.last_message_at is null) <> (new.last_message_at is null) then
    insert into chat_count (session_id, change)
    values (new.session_id, case when new.last_message_at is null then -1 else 1 end);
  end if;
  if exists (select from mirror w where w.agency_id = new.agency_id and w.conversations
      and (w.tenant_id is null or w.tenant_id = new.tenant_id)) then
    perform note_changed_conversation(old, new);
  end if;
  return null;
end
$$;

-- Has mirrors told of a conversation that is shown otherwise than before: once it has a message, and when it is merged
-- into another.
create function note_changed_conversation(p_old conversation, p_new conversation) returns void language plpgsql as $$
declare
  v_unshown constant text[] := array['last_seq', 'typing_until', 'human_active_at', 'contacted', 'last_inbound_at',
    'members_at', 'name_told_at', 'history_synced', 'history_complete', 'unfinished_merge', 'taken_over_by',
    'read_up_to'];
begin
  if p_new.last_message_at is null and p_old.last_message_at is null
    and p_new.merged_into is not distinct from p_old.merged_into then return; end if;
  if to_jsonb(p_old) - v_unshown = to_jsonb(p_new) - v_unshown then return; end if;
  insert into mirror_note (session_id, conversation_id) values (p_new.session_id, p_new.id);
end
$$;

drop trigger conversation_touched on conversation;
create trigger conversation_touched before update on conversation for each row execute function touch_conversation();
drop trigger chat_text_begun on conversation;
drop trigger conversation_shown on conversation;
drop trigger conversation_mirrored on conversation;
create trigger conversation_came after insert on conversation for each row execute function follow_new_conversation();
drop trigger conversation_shown_or_hidden on conversation;
drop trigger conversation_mirrored_again on conversation;
create trigger conversation_changed after update on conversation for each row
  execute function follow_changed_conversation();
-- A statement that names none of these columns does not ask for the condition.
drop trigger chat_text_changed on conversation;
create trigger chat_text_changed after update of name, contact_id, merged_into on conversation for each row
  when ((old.name, old.contact_id, old.merged_into) is distinct from (new.name, new.contact_id, new.merged_into))
  execute function index_changed_chat();
drop function index_new_chats();
drop function note_conversation_for_mirror();
