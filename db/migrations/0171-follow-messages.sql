-- One function follows each change of a message, instead of a trigger for each reader of changes. PostgreSQL reads the
-- condition of a trigger (`when`) anew in each statement that may fire it, which cost more than the work that it saved:
-- a fifth of what PostgreSQL spent on an update of a message. A plan of a function is kept from call to call. The
-- triggers are for each row, because every statement that hurries inserts one row, and a table of new rows costs more
-- than the call.
set local lock_timeout = '10s';

create function follow_new_message() returns trigger language plpgsql as $$
begin
  -- A file counts for the tenant, and the message takes over from the hold under which the file was put. A hold that
  -- another transaction has locked expires by itself.
  if new.media ? 'stored' then
    insert into media_usage (agency_id, tenant_id, files, size_bytes)
    values (new.agency_id, new.tenant_id, 1, coalesce((new.media->'stored'->>'sizeBytes')::bigint, 0));
    if new.media->'stored'->>'key' is not null then
      insert into storage_note (agency_id, tenant_id, key, named, size_bytes)
      values (new.agency_id, new.tenant_id, new.media->'stored'->>'key', 1,
        coalesce((new.media->'stored'->>'sizeBytes')::bigint, 0));
      delete from file_hold where id in (
        select id from file_hold
        where agency_id = new.agency_id and tenant_id = new.tenant_id and key = new.media->'stored'->>'key'
          and maker is null
        for update skip locked);
    end if;
  end if;
  -- A scheduled message has not been sent.
  if new.status = 'scheduled' then return null; end if;
  -- The words are indexed soon (`db/conversations/search/due.sql`).
  if new.body <> '' and new.revoked_at is null then
    insert into search_due (agency_id, tenant_id, message_id) values (new.agency_id, new.tenant_id, new.id);
  end if;
  -- Mirrors hear of an own message once it is matched. A read of the past tells its messages where somebody asks for
  -- them (`tell_history`).
  if new.origin <> 'history' and new.matching_network_id is null and exists (select from mirror w
      where w.agency_id = new.agency_id and w.messages and (w.tenant_id is null or w.tenant_id = new.tenant_id)) then
    insert into mirror_note (session_id, conversation_id, message_id, is_new)
    values (new.session_id, new.conversation_id, new.id, true);
  end if;
  return null;
end
$$;

create function follow_changed_message() returns trigger language plpgsql as $$
begin
  -- Words that are no longer true go at once, and what is left of the message is indexed soon.
  if (old.body, old.occurred_at, old.conversation_id, old.revoked_at is null, old.status = 'scheduled')
    is distinct from (new.body, new.occurred_at, new.conversation_id, new.revoked_at is null, new.status = 'scheduled')
  then
    delete from message_text where agency_id = old.agency_id and tenant_id = old.tenant_id
      and occurred_at = old.occurred_at and message_id = old.id;
    insert into search_due (agency_id, tenant_id, message_id, former_at)
    values (old.agency_id, old.tenant_id, old.id, old.occurred_at);
  end if;
  -- A person looks at replies of the agent that failed (`db/agent/owed.ts`).
  if new.status = 'failed' and old.status <> 'failed' and new.origin = 'ai' and new.turn_id is not null then
    insert into failed_reply (message_id) values (new.id) on conflict do nothing;
  end if;
  if new.matching_network_id is null and exists (select from mirror w
      where w.agency_id = new.agency_id and w.messages and (w.tenant_id is null or w.tenant_id = new.tenant_id)) then
    perform note_changed_message(old, new);
  end if;
  return null;
end
$$;

-- Has mirrors told of a message that is shown otherwise than before. Columns that only serve its sending or the work of
-- the engine are not shown, so they are left out of the comparison; a column that is added later counts.
create function note_changed_message(p_old message, p_new message) returns void language plpgsql as $$
declare
  v_unshown constant text[] := array['agency_id', 'tenant_id', 'session_id', 'conversation_id', 'contact_id', 'chat_id',
    'network_id', 'chosen_network_id', 'request_id', 'bulk', 'scheduled_at', 'ready_at', 'held_by', 'held_until',
    'first_contact', 'lane', 'chat_seq', 'released_at', 'promised_at', 'claim_token', 'claimed_at', 'claim_owner',
    'slice', 'lost_at', 'lost_cause', 'attempts', 'conversation_epoch', 'tenant_epoch', 'turn_id', 'expires_at',
    'sent_at', 'delivered_at', 'read_at', 'played_at', 'ended_at', 'awaits_turn', 'resend_of', 'reply_to_from_me',
    'created_at', 'updated_at', 'owed_from', 'waived_at'];
begin
  if p_old.status = 'scheduled' and p_new.status = 'scheduled' then return; end if;
  if to_jsonb(p_old) - v_unshown = to_jsonb(p_new) - v_unshown then return; end if;
  insert into mirror_note (session_id, conversation_id, message_id, is_new)
  values (p_new.session_id, p_new.conversation_id, p_new.id,
    -- A scheduled message is not in the conversation yet; one of the past becomes live when its event comes late.
    p_old.status = 'scheduled' or p_old.matching_network_id is not null
      or (p_old.origin = 'history' and p_new.origin <> 'history'));
end
$$;

drop trigger message_file_came on message;
drop trigger message_storage_came on message;
drop trigger message_text_said on message;
drop trigger message_mirrored on message;
create trigger message_came after insert on message for each row execute function follow_new_message();
drop trigger message_text_changed on message;
drop trigger message_reply_failed on message;
drop trigger message_mirrored_again on message;
create trigger message_changed after update on message for each row execute function follow_changed_message();
-- It follows only deletions now.
alter function index_changed_text() rename to index_deleted_text;
drop function index_new_texts();
drop function note_failed_reply();
drop function note_message_for_mirror();
