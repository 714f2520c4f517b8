-- Later changes of messages, and deleted messages, are reported to readers who mirror the inbox.
set local lock_timeout = '10s';

create or replace function note_mirroring_endpoint() returns trigger language plpgsql as $$
begin
  delete from mirror where endpoint_id = new.id;
  insert into mirror (agency_id, tenant_id, endpoint_id, messages, conversations)
  select new.agency_id, t.id, new.id, new.events && array['message.any', 'message.updated', 'message.deleted'],
    'conversation.updated' = any (new.events)
  from unnest(coalesce(new.tenant_ids, array[null::text])) as t(id)
  where new.deleted_at is null
    and new.events && array['message.any', 'message.updated', 'message.deleted', 'conversation.updated']
  on conflict do nothing;
  return null;
end
$$;
drop trigger endpoint_mirrors on endpoint;
create trigger endpoint_mirrors after insert on endpoint for each row
  when (new.events && array['message.any', 'message.updated', 'message.deleted', 'conversation.updated'])
  execute function note_mirroring_endpoint();

-- The message is not there any more when it is told, and that says it all.
create function note_deleted_message_for_mirror() returns trigger language plpgsql as $$
begin
  if exists (select from mirror w where w.agency_id = old.agency_id and w.messages
      and (w.tenant_id is null or w.tenant_id = old.tenant_id)) then
    insert into mirror_note (session_id, conversation_id, message_id)
    values (old.session_id, old.conversation_id, old.id);
  end if;
  return null;
end
$$;
create trigger message_mirrored_last after delete on message for each row
  when (old.status <> 'scheduled') execute function note_deleted_message_for_mirror();

-- Versions and responses are rows beside their message; those of a deleted one go with it.
create function note_message_change_for_mirror() returns trigger language plpgsql as $$
begin
  insert into mirror_note (session_id, conversation_id, message_id)
  select m.session_id, m.conversation_id, m.id from message m join mirror w on w.agency_id = m.agency_id and w.messages
    and (w.tenant_id is null or w.tenant_id = m.tenant_id)
  where m.id = coalesce(new.message_id, old.message_id) and m.status <> 'scheduled' limit 1;
  return null;
end
$$;
create trigger message_version_mirrored after insert or update or delete on message_version for each row
  execute function note_message_change_for_mirror();
create trigger message_response_mirrored after insert or update or delete on message_response for each row
  execute function note_message_change_for_mirror();
