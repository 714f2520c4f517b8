-- When a conversation last changed, and how many chats a session has, for lists that must not read all of them.
set local lock_timeout = '10s';

-- When somebody last wrote in the conversation, read or took it over, or its name changed, by the engine's clock.
alter table conversation add column updated_at timestamptz not null default now();

create function touch_conversation() returns trigger language plpgsql as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$$;
create trigger conversation_touched before update on conversation for each row
  when ((old.last_message_id, old.last_message_at, old.unread_count, old.mode, old.assigned_to, old.assigned_reason,
      old.name, old.contact_id, old.chat_id, old.merged_into)
    is distinct from (new.last_message_id, new.last_message_at, new.unread_count, new.mode, new.assigned_to,
      new.assigned_reason, new.name, new.contact_id, new.chat_id, new.merged_into))
  execute function touch_conversation();

-- The number of a session's chats is the sum of its rows here (`db/conversations/inbox/chat-count.sql`). Each change is
-- a row of its own, so that no two transactions wait for one counter; the clean-up adds them up.
create table chat_count (
  id bigint generated always as identity primary key,
  session_id text not null,
  change bigint not null,
  -- The row that holds all that was counted before; a session without one is counted when its list is first read.
  is_base boolean not null default false
);
create unique index chat_count_base on chat_count (session_id) where is_base;
create index chat_count_session on chat_count (session_id);
create index chat_count_change on chat_count (session_id) where not is_base;

create function note_chat() returns trigger language plpgsql as $$
begin
  insert into chat_count (session_id, change)
  values (coalesce(new.session_id, old.session_id), case when new.last_message_at is null then -1 else 1 end);
  return null;
end
$$;
create trigger conversation_shown after insert on conversation for each row
  when (new.last_message_at is not null) execute function note_chat();
create trigger conversation_shown_or_hidden after update on conversation for each row
  when ((old.last_message_at is null) <> (new.last_message_at is null)) execute function note_chat();
create trigger conversation_gone after delete on conversation for each row
  when (old.last_message_at is not null) execute function note_chat();
