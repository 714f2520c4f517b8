-- When a worker began a send, before the send waited for the places of its account: a slow account must not look like a
-- late worker (`db/operations/agency-backlog.ts`). Null when a process of the release before has claimed the message.
set local lock_timeout = '10s';

alter table message add column taken_at timestamptz;

-- As in `0171-follow-messages.sql`. Nobody is shown when a worker began.
create or replace function note_changed_message(p_old message, p_new message) returns void language plpgsql as $$
declare
  v_unshown constant text[] := array['agency_id', 'tenant_id', 'session_id', 'conversation_id', 'contact_id', 'chat_id',
    'network_id', 'chosen_network_id', 'request_id', 'bulk', 'scheduled_at', 'ready_at', 'held_by', 'held_until',
    'first_contact', 'lane', 'chat_seq', 'released_at', 'promised_at', 'taken_at', 'claim_token', 'claimed_at',
    'claim_owner', 'slice', 'lost_at', 'lost_cause', 'attempts', 'conversation_epoch', 'tenant_epoch', 'turn_id',
    'expires_at', 'sent_at', 'delivered_at', 'read_at', 'played_at', 'ended_at', 'awaits_turn', 'resend_of',
    'reply_to_from_me', 'created_at', 'updated_at', 'owed_from', 'waived_at'];
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
