-- The words of messages, for the search of a tenant. They stand beside the messages, because the row of a message is
-- written again with each ack, and an index of its words would be, too.
set local lock_timeout = '10s';

create table message_text (
  agency_id text not null,
  tenant_id text not null,
  occurred_at timestamptz not null,
  message_id text not null,
  -- The words of the text with their places, and whose they are (`db/conversations/search/message-text.sql`).
  words tsvector not null,
  primary key (agency_id, tenant_id, occurred_at, message_id)
);
-- New entries wait in a list that each search reads, so it is kept short; the limit is in kilobytes.
create index message_text_words on message_text using gin (words) with (gin_pending_list_limit = 256);

-- The progress of indexing earlier messages: those up to this id. A new database has none.
create table message_text_fill (
  after_id text not null,
  is_done boolean not null
);
insert into message_text_fill select '', not exists (select from message);

-- `db/conversations/search/message-text.sql` defines these again, with what they do.
create function index_new_texts() returns trigger language plpgsql as $$ begin return null; end $$;
create function index_changed_text() returns trigger language plpgsql as $$ begin return null; end $$;

create trigger message_text_said after insert on message referencing new table as said
  for each statement execute function index_new_texts();
create trigger message_text_changed after update on message for each row
  when ((old.body, old.occurred_at, old.conversation_id, old.revoked_at is null, old.status = 'scheduled')
    is distinct from (new.body, new.occurred_at, new.conversation_id, new.revoked_at is null,
      new.status = 'scheduled'))
  execute function index_changed_text();
create trigger message_text_gone after delete on message for each row execute function index_changed_text();
