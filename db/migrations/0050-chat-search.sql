-- The names and numbers by which a chat is found. They stand beside the conversations, because the row of a
-- conversation is written again with each message.
set local lock_timeout = '10s';

create table chat_text (
  conversation_id text primary key,
  words tsvector not null
);
create index chat_text_words on chat_text using gin (words) with (gin_pending_list_limit = 256);

-- The progress of indexing earlier conversations: those up to this id. A new database has none.
create table chat_text_fill (
  after_id text not null,
  is_done boolean not null
);
insert into chat_text_fill select '', not exists (select from conversation);

-- `db/conversations/search/chat-text.sql` defines these again, with what they do.
create function index_new_chats() returns trigger language plpgsql as $$ begin return null; end $$;
create function index_changed_chat() returns trigger language plpgsql as $$ begin return null; end $$;
create function index_chats_of_people() returns trigger language plpgsql as $$ begin return null; end $$;
create function index_chats_of_person() returns trigger language plpgsql as $$ begin return null; end $$;

create trigger chat_text_begun after insert on conversation referencing new table as given
  for each statement execute function index_new_chats();
create trigger chat_text_changed after update on conversation for each row
  when ((old.name, old.contact_id, old.merged_into) is distinct from (new.name, new.contact_id, new.merged_into))
  execute function index_changed_chat();
create trigger chat_text_gone after delete on conversation for each row execute function index_changed_chat();

-- A person is known by other names, or by another address, than before.
create trigger chat_text_of_contact after update on contact for each row
  when ((old.name, old.push_name) is distinct from (new.name, new.push_name))
  execute function index_chats_of_person('id');
create trigger chat_text_of_alias after update on contact_alias for each row
  when (old.contact_id <> new.contact_id) execute function index_chats_of_person('contact_id');
create trigger chat_text_of_aliases after insert on contact_alias referencing new table as given
  for each statement execute function index_chats_of_people();
create trigger chat_text_of_saved_name after update on session_contact for each row
  when (old.name is distinct from new.name) execute function index_chats_of_person('contact_id');
create trigger chat_text_of_saved_names after insert on session_contact referencing new table as given
  for each statement execute function index_chats_of_people();
