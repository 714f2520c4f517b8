-- Own messages are shown while the engine still finds out whether one of its sends is such a message.
set local lock_timeout = '10s';

-- The network's id of an own message that is being matched (`db/network/show-own-message.ts`). Such a row has no
-- `network_id` yet, so nothing that looks for a message by that id finds it. Null in all other rows.
alter table message add column matching_network_id text;

-- The row that shows a parked own message; null while none does. Whoever looks for that row comes by here, so that the
-- table of messages needs no index for it.
alter table parked_own_message add column shown_id text;

-- Ids of messages that were shown while they were being matched, and that were sends of ours: each leads to its send.
create table message_alias (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  message_id text not null references message (id) on delete cascade
);
create index message_alias_message on message_alias (message_id);

-- A parked own message is deleted once it is decided who wrote it. One that was not taken for a person's by then is a
-- send of ours, or was deleted: its shown row goes, its id leads to the send, and the chat list shows the message
-- before it. A trigger does this, because processes of the previous release delete parked messages, too.
create function hide_matched_message() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  shown message;
begin
  if old.shown_id is null then return null; end if;
  delete from message m where m.id = old.shown_id and m.matching_network_id is not null returning m.* into shown;
  if not found then return null; end if;
  with sent as (
    insert into message_alias (id, agency_id, tenant_id, message_id)
    select shown.id, m.agency_id, m.tenant_id, m.id from message m
    where m.session_id = old.session_id and m.direction = 'out' and m.network_id = old.network_id
      and (m.agency_id, m.tenant_id) = (shown.agency_id, shown.tenant_id)
    returning message_id
  )
  -- A memory that rests on the shown row rests on the send from now on.
  update memory e set evidence_message_id = sent.message_id from sent where e.evidence_message_id = shown.id;
  update conversation c set last_message_id = n.id, last_message_body = n.line,
    last_message_from_me = n.direction = 'out', last_message_at = n.occurred_at
  from conversation k left join lateral (
    select m.id, case when m.revoked_at is null then left(m.body, 500) else '' end as line, m.direction, m.occurred_at
    from message m
    where m.conversation_id in (select k.id union all select f.id from conversation f where f.merged_into = k.id)
      and m.status <> 'scheduled' and m.content->'notice' is null
    order by m.occurred_at desc, m.id desc limit 1) n on true
  where k.id = (select coalesce(o.merged_into, o.id) from conversation o where o.id = shown.conversation_id)
    and c.id = k.id and c.last_message_id = shown.id;
  return null;
end
$$;
create trigger own_message_matched after delete on parked_own_message for each row
  execute function hide_matched_message();

-- Mirrors hear of a message once it is matched: as of a new one, or not at all. One that was a send of ours is told as
-- deleted, because a mirror may have read it meanwhile.
create or replace function note_message_for_mirror() returns trigger language plpgsql as $$
declare
  v_unshown constant text[] := array['agency_id', 'tenant_id', 'session_id', 'conversation_id', 'contact_id', 'chat_id',
    'network_id', 'chosen_network_id', 'request_id', 'bulk', 'scheduled_at', 'ready_at', 'held_by', 'held_until',
    'first_contact', 'lane', 'chat_seq', 'released_at', 'promised_at', 'claim_token', 'claimed_at', 'claim_owner',
    'slice', 'lost_at', 'lost_cause', 'attempts', 'conversation_epoch', 'tenant_epoch', 'turn_id', 'expires_at',
    'sent_at', 'delivered_at', 'read_at', 'played_at', 'ended_at', 'awaits_turn', 'resend_of', 'reply_to_from_me',
    'created_at', 'updated_at'];
  v_is_new boolean := true;
begin
  if new.matching_network_id is not null then return null; end if;
  if not exists (select from mirror w where w.agency_id = new.agency_id and w.messages
      and (w.tenant_id is null or w.tenant_id = new.tenant_id)) then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if to_jsonb(old) - v_unshown = to_jsonb(new) - v_unshown then return null; end if;
    -- A scheduled message is not in the conversation yet; one of the past becomes live when its event comes late.
    v_is_new := old.status = 'scheduled' or old.matching_network_id is not null
      or (old.origin = 'history' and new.origin <> 'history');
  end if;
  insert into mirror_note (session_id, conversation_id, message_id, is_new)
  values (new.session_id, new.conversation_id, new.id, v_is_new);
  return null;
end
$$;
