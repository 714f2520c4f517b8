-- Notes for dashboards that keep a copy of the inbox: the readers, and the changes since the last report.
set local lock_timeout = '10s';

-- The readers. It is read at each change of a message or a conversation, so it names the tenants instead of the
-- endpoints.
create table mirror (
  agency_id text not null,
  -- Null for all tenants of the agency.
  tenant_id text,
  -- The endpoint that asks; null for readers who pull.
  endpoint_id text,
  messages boolean not null,
  conversations boolean not null
);
create unique index mirror_agency on mirror (agency_id, tenant_id, endpoint_id) nulls not distinct;
create index mirror_endpoint on mirror (endpoint_id) where endpoint_id is not null;

-- Changes since the last report. A note is written in the transaction of the change and deleted in the one that tells
-- it, so none is lost, and several changes of one thing are told together.
create table mirror_note (
  id bigint generated always as identity primary key,
  session_id text not null,
  conversation_id text not null,
  -- Null where the conversation itself has changed.
  message_id text,
  -- The message was not in the conversation before.
  is_new boolean not null default false,
  -- It is from before the session was connected, or from while it was away.
  is_history boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000);
create index mirror_note_session on mirror_note (session_id, id);

-- Tells which of two events about the same thing shows the later state, however they arrive.
create sequence mirror_revision_seq;

-- Triggers take the notes, so that no statement can forget it, neither one of this release nor one of a process of the
-- release before.

create function note_mirroring_endpoint() returns trigger language plpgsql as $$
begin
  delete from mirror where endpoint_id = new.id;
  insert into mirror (agency_id, tenant_id, endpoint_id, messages, conversations)
  select new.agency_id, t.id, new.id, new.events && array['message.any', 'message.updated'],
    'conversation.updated' = any (new.events)
  from unnest(coalesce(new.tenant_ids, array[null::text])) as t(id)
  where new.deleted_at is null
    and new.events && array['message.any', 'message.updated', 'conversation.updated']
  on conflict do nothing;
  return null;
end
$$;
create trigger endpoint_mirrors after insert on endpoint for each row
  when (new.events && array['message.any', 'message.updated', 'conversation.updated'])
  execute function note_mirroring_endpoint();
create trigger endpoint_mirrors_now after update on endpoint for each row
  when ((old.events, old.tenant_ids, old.deleted_at) is distinct from (new.events, new.tenant_ids, new.deleted_at))
  execute function note_mirroring_endpoint();

-- Columns that only serve the sending of a message or the work of the engine are not shown, so they are left out of the
-- comparison; a column that is added later counts.
create function note_message_for_mirror() returns trigger language plpgsql as $$
declare
  v_unshown constant text[] := array['agency_id', 'tenant_id', 'session_id', 'conversation_id', 'contact_id', 'chat_id',
    'network_id', 'chosen_network_id', 'request_id', 'bulk', 'scheduled_at', 'ready_at', 'held_by', 'held_until',
    'first_contact', 'lane', 'chat_seq', 'released_at', 'promised_at', 'claim_token', 'claimed_at', 'claim_owner',
    'slice', 'lost_at', 'lost_cause', 'attempts', 'conversation_epoch', 'tenant_epoch', 'turn_id', 'expires_at',
    'sent_at', 'delivered_at', 'read_at', 'played_at', 'ended_at', 'awaits_turn', 'resend_of', 'reply_to_from_me',
    'created_at', 'updated_at'];
  v_is_new boolean := true;
begin
  if not exists (select from mirror w where w.agency_id = new.agency_id and w.messages
      and (w.tenant_id is null or w.tenant_id = new.tenant_id)) then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if to_jsonb(old) - v_unshown = to_jsonb(new) - v_unshown then return null; end if;
    -- A scheduled message is not in the conversation yet; one of the past becomes live when its event comes late.
    v_is_new := old.status = 'scheduled' or (old.origin = 'history' and new.origin <> 'history');
  end if;
  insert into mirror_note (session_id, conversation_id, message_id, is_new)
  values (new.session_id, new.conversation_id, new.id, v_is_new);
  return null;
end
$$;
-- A read of the past tells its messages where somebody asks for them (`tell_history`).
create trigger message_mirrored after insert on message for each row
  when (new.status <> 'scheduled' and new.origin <> 'history')
  execute function note_message_for_mirror();
create trigger message_mirrored_again after update on message for each row
  when (new.status <> 'scheduled' or old.status <> 'scheduled')
  execute function note_message_for_mirror();

create function note_conversation_for_mirror() returns trigger language plpgsql as $$
declare
  v_unshown constant text[] := array['last_seq', 'typing_until', 'human_active_at', 'contacted', 'last_inbound_at',
    'members_at', 'name_told_at', 'history_synced', 'history_complete', 'unfinished_merge', 'taken_over_by'];
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
-- A conversation without a message is in no list; it is told once it has one, and when it is merged into another.
create trigger conversation_mirrored after insert on conversation for each row
  when (new.last_message_at is not null)
  execute function note_conversation_for_mirror();
create trigger conversation_mirrored_again after update on conversation for each row
  when (new.last_message_at is not null or old.last_message_at is not null
    or new.merged_into is distinct from old.merged_into)
  execute function note_conversation_for_mirror();

-- A chat without a name of its own shows its contact's.
create function note_contact_for_mirror() returns trigger language plpgsql as $$
begin
  insert into mirror_note (session_id, conversation_id)
  select c.session_id, c.id from conversation c
  where c.contact_id = new.id and c.last_message_at is not null and exists (select from mirror w
    where w.agency_id = new.agency_id and w.conversations and (w.tenant_id is null or w.tenant_id = new.tenant_id))
  order by c.id;
  return null;
end
$$;
create trigger contact_mirrored after update on contact for each row
  when ((old.name, old.push_name, old.chat_id, old.picture)
    is distinct from (new.name, new.push_name, new.chat_id, new.picture))
  execute function note_contact_for_mirror();

-- Nor does it show that where the account has saved another one.
create function note_saved_contact_for_mirror() returns trigger language plpgsql as $$
begin
  insert into mirror_note (session_id, conversation_id)
  select c.session_id, c.id from conversation c join mirror w on w.agency_id = c.agency_id and w.conversations
    and (w.tenant_id is null or w.tenant_id = c.tenant_id)
  where c.contact_id = new.contact_id and c.session_id = new.session_id and c.last_message_at is not null limit 1;
  return null;
end
$$;
create trigger session_contact_mirrored after insert on session_contact for each row
  when (new.name is not null) execute function note_saved_contact_for_mirror();
create trigger session_contact_mirrored_again after update on session_contact for each row
  when (old.name is distinct from new.name) execute function note_saved_contact_for_mirror();

-- A label is put on an address, of which the contact of a conversation may have several.
create function note_label_for_mirror() returns trigger language plpgsql as $$
begin
  insert into mirror_note (session_id, conversation_id)
  select distinct c.session_id, c.id
  from session s join mirror w on w.agency_id = s.agency_id and w.conversations
      and (w.tenant_id is null or w.tenant_id = s.tenant_id)
    join chat_label l on l.session_id = s.id
    left join contact_alias a on a.agency_id = s.agency_id and a.tenant_id = s.tenant_id and a.chat_id = l.chat_id
    join conversation c on c.session_id = s.id and (c.chat_id = l.chat_id or c.contact_id = a.contact_id)
  where s.id = new.session_id and c.last_message_at is not null
    and case when tg_table_name = 'label' then l.label_id = to_jsonb(new)->>'id' and l.is_set
      else l.chat_id = to_jsonb(new)->>'chat_id' and l.label_id = to_jsonb(new)->>'label_id' end;
  return null;
end
$$;
create trigger chat_label_mirrored after insert on chat_label for each row when (new.is_set)
  execute function note_label_for_mirror();
create trigger chat_label_mirrored_again after update on chat_label for each row
  when (old.is_set <> new.is_set) execute function note_label_for_mirror();
create trigger label_mirrored after insert on label for each row execute function note_label_for_mirror();
create trigger label_mirrored_again after update on label for each row
  when ((old.name, old.color, old.color_hex, old.is_deleted)
    is distinct from (new.name, new.color, new.color_hex, new.is_deleted))
  execute function note_label_for_mirror();
