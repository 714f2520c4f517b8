-- Answers of the agent that the engine was too slow for, and replies that failed: both are owed to a person.
set local lock_timeout = '10s';

-- The end of the last suspension: messages that became old during it are not answered.
alter table agency add column activated_at timestamptz;
-- Since when the agent owes an answer to a message that it was asked to answer again; null: since its receipt.
-- And when a person said that a message needs no answer.
alter table message add column owed_from timestamptz, add column waived_at timestamptz;

-- Failed replies of the agent that nobody has looked at yet (`db/agent/owed.ts`).
create table failed_reply (
  message_id text primary key,
  at timestamptz not null default now()
);

-- A trigger notes them, so that no statement can forget it, neither one of this release nor one of the release before.
create function note_failed_reply() returns trigger language plpgsql as $$
begin
  insert into failed_reply (message_id) values (new.id) on conflict do nothing;
  return null;
end
$$;
create trigger message_reply_failed after update of status on message for each row
  when (new.status = 'failed' and old.status <> 'failed' and new.origin = 'ai' and new.turn_id is not null)
  execute function note_failed_reply();

-- As before, but mirrors do not hear since when the agent owes an answer, nor that none is needed.
create or replace function note_message_for_mirror() returns trigger language plpgsql as $$
declare
  v_unshown constant text[] := array['agency_id', 'tenant_id', 'session_id', 'conversation_id', 'contact_id', 'chat_id',
    'network_id', 'chosen_network_id', 'request_id', 'bulk', 'scheduled_at', 'ready_at', 'held_by', 'held_until',
    'first_contact', 'lane', 'chat_seq', 'released_at', 'promised_at', 'claim_token', 'claimed_at', 'claim_owner',
    'slice', 'lost_at', 'lost_cause', 'attempts', 'conversation_epoch', 'tenant_epoch', 'turn_id', 'expires_at',
    'sent_at', 'delivered_at', 'read_at', 'played_at', 'ended_at', 'awaits_turn', 'resend_of', 'reply_to_from_me',
    'created_at', 'updated_at', 'owed_from',
    'waived_at'];
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
