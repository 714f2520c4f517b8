-- True for a message that may have gone out: the network may yet show such a message, even after an operator has given
-- it up.
create or replace function may_be_shown(p_status text, p_error_code text, p_network_id text) returns boolean
  language sql immutable parallel safe as $$
  select p_status = 'uncertain'
    or (p_status = 'failed' and p_error_code = 'resolved_by_operator' and p_network_id is null)
$$;

-- Answers what the events of a message and its successors need (`MovedMessage`). A process of the former release needs
-- `bulk`, too.
create or replace function moved_message(m message, c conversation) returns jsonb language sql stable as $$
  select jsonb_build_object('id', m.id, 'agencyId', m.agency_id, 'tenantId', m.tenant_id, 'sessionId', m.session_id,
    'conversationId', m.conversation_id, 'chatId', c.chat_id,
    'contactChatId', (select k.chat_id from contact k where k.id = c.contact_id), 'origin', m.origin, 'kind', m.kind,
    'status', m.status, 'bulk', m.bulk, 'ack', m.ack)
$$;

-- Frees a network id for a send: deletes the echo that was recorded as a person's own message. Answers another send of
-- ours that has the id, or null. Its `isShown` is true when it got the id because it resembled a message that the
-- network showed (`p_shown` is the history's reason for that).
create or replace function free_network_id(p_message text, p_session text, p_network_id text, p_shown text)
returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  v_owner jsonb;
begin
  -- As a rule nobody has the id.
  if not exists (select 1 from message
    where network_id = p_network_id and session_id = p_session and direction = 'out' and id <> p_message) then
    return null;
  end if;
  -- Ids that lead to the echo lead to the send, before the echo goes and takes them along.
  update message_alias a set message_id = p_message from message e
  where a.message_id = e.id and e.session_id = p_session and e.direction = 'out' and e.network_id = p_network_id
    and e.id <> p_message and not is_sent_by_engine(e.origin);
  with same as (
    select id, conversation_id, origin from message
    where session_id = p_session and direction = 'out' and network_id = p_network_id and id <> p_message
  ), echo as (
    delete from message m using same where m.id = same.id and not is_sent_by_engine(m.origin)
  ), changed as (
    -- Changes of the echo are changes of the send.
    update message m set edited_at = e.edited_at, body = case when e.edited_at is null then m.body else e.body end,
      responded_at = e.responded_at, revoked_at = e.revoked_at, revoked_by = e.revoked_by
    from same join message e on e.id = same.id
    where m.id = p_message and not is_sent_by_engine(same.origin)
      and coalesce(e.edited_at, e.responded_at, e.revoked_at) is not null
  ), versions as (
    update message_version v set message_id = p_message from same
    where v.message_id = same.id and not is_sent_by_engine(same.origin)
  ), responses as (
    update message_response r set message_id = p_message from same
    where r.message_id = same.id and not is_sent_by_engine(same.origin)
  ), alias as (
    -- Dashboards may know the echo by its own id.
    insert into message_alias (id, agency_id, tenant_id, message_id)
    select e.id, e.agency_id, e.tenant_id, p_message from same join message e on e.id = same.id
    where not is_sent_by_engine(same.origin)
  ), evidence as (
    -- The echo was this send, so memories that rest on the echo rest on the send from now on.
    update memory e set evidence_message_id = p_message from same
    where e.evidence_message_id = same.id and not is_sent_by_engine(same.origin)
  )
  select jsonb_build_object('messageId', id, 'conversationId', conversation_id,
    'isShown', coalesce((select h.reason from message_history h
      where h.message_id = same.id and h.status = 'sent' order by h.id desc limit 1) = p_shown, false))
  into v_owner from same where is_sent_by_engine(origin) limit 1;
  return v_owner;
end
$$;

-- Answers how many messages of a conversation a turn of the agent has not answered: those that came after it, and those
-- that wait for a turn. Null where the turn only called a person, its model failed, or it was out of hours. The merged
-- conversations count, because their old messages follow later than their unread count.
create or replace function unread_after_turn(p_conversation text, p_turn text)
returns integer language sql stable as $$
  select (select count(*)::integer from (
      select id from ids_of_conversation(p_conversation) as own(id)) of
    join message m on m.conversation_id = of.id and (m.occurred_at, m.id) > (t.up_to_at, t.up_to_message_id)
    where m.direction = 'in' and not is_notice(m.content))
    + (select count(*)::integer from message m where m.conversation_id = p_conversation and m.awaits_turn
      and (m.occurred_at, m.id) <= (t.up_to_at, t.up_to_message_id))
  from ai_turn t where t.id = p_turn and t.outcome = 'reply' and t.silence_code is null
$$;

-- Records that the backend has taken a message, and lets the next message of its conversation go. It deletes the echo
-- that was parked as a person's own message. Answers `id_taken` with the owner, and has written nothing of the message,
-- when another send of ours has the network id and the caller has not said what becomes of it (`binds`). Answers
-- `not_ours` when the claim is no longer ours. Acks that were faster than the backend's answer are taken and handed to
-- the caller, who applies them and lets the next message go then: an ack may fail the message and what hangs on it.
-- `hasReport` tells that a report has named a contact as the writer of the message (`taken-back.ts`).
create or replace function record_sent(p jsonb) returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  v_now timestamptz := (p->>'now')::timestamptz;
  v_id text := p->>'messageId';
  v_token uuid := p->>'token';
  v_network_id text := p->>'networkId';
  v_owner jsonb;
  v_acks jsonb;
  v_promoted text;
  sent record;
begin
  perform lock_conversation(p->>'conversationId');
  if (p->>'binds')::boolean then
    v_owner := free_network_id(v_id, (select session_id from message where id = v_id), v_network_id, p->>'shown');
    if v_owner is not null then return jsonb_build_object('outcome', 'id_taken', 'owner', v_owner); end if;
  end if;

  with recorded as (
    update message m set status = 'sent', network_id = case when (p->>'binds')::boolean then v_network_id end,
      sent_at = v_now, ended_at = v_now, ack = greatest(ack, 0), lost_at = null, lost_cause = null,
      rendered_as = coalesce(p->>'renderedAs', rendered_as), error_code = null, error_detail = null, updated_at = v_now
    where id = v_id and ((status = 'sending' and claim_token = v_token)
      or (v_token is null and may_be_shown(status, error_code, network_id)))
    returning m.id, m.session_id, m.conversation_id, m as whole
  ), history as (
    insert into message_history (message_id, at, status, reason) select id, v_now, 'sent', p->>'reason' from recorded
  ), echo as (
    delete from parked_own_message o using recorded r
    where o.session_id = r.session_id and o.network_id = v_network_id
  ), met as (
    update conversation k set contacted = true, unread_count = case when (r.whole).origin = 'ai'
      then least(k.unread_count, unread_after_turn(k.id, (r.whole).turn_id)) else k.unread_count end
    from recorded r where k.id = r.conversation_id
      and (not k.contacted or ((r.whole).origin = 'ai' and k.unread_count > 0 and k.id = p->>'conversationId'))
  )
  select r.session_id, r.conversation_id, moved_message(r.whole, c) as moved into sent
  from recorded r join conversation c on c.id = r.conversation_id;
  if sent.moved is null then return jsonb_build_object('outcome', 'not_ours'); end if;

  if (p->>'binds')::boolean then
    with taken as (
      delete from parked_ack where session_id = sent.session_id and network_id = v_network_id returning level, error
    )
    select jsonb_agg(jsonb_build_object('level', level, 'error', error)) into v_acks from taken;
  end if;
  if v_acks is null then v_promoted := promote(sent.conversation_id, v_now); end if;
  return jsonb_build_object('outcome', 'recorded', 'message', sent.moved, 'acks', coalesce(v_acks, '[]'),
    'promoted', v_promoted, 'hasReport', (p->>'binds')::boolean and exists (select 1 from message i
      where i.network_id = v_network_id and i.session_id = sent.session_id and i.direction = 'in'));
end
$$;
