-- True when the parked message was fresh when the backend told of it, so a person was at the phone and the message is
-- not from the history. The time of telling counts, because the event may have waited long before it was applied. A
-- message without a readable time counts as fresh.
create or replace function was_live(p parked_own_message, p_live_ms integer) returns boolean language sql stable as $$
  select case when jsonb_typeof(p.message->'timestamp') = 'number'
    then (p.message->>'timestamp')::float8
      > extract(epoch from coalesce(p.received_at, p.parked_at)) - p_live_ms / 1000.0::float8
    else true end
$$;

-- True for a parked report that names a contact as the writer: it may be the echo of a send (`held-report.ts`).
create or replace function is_held(p parked_own_message) returns boolean language sql stable as $$
  select coalesce(p.message->>'fromMe' = 'false', false)
$$;

-- True when the parked message came under a hidden id that belongs to no known contact, and the conversation's contact
-- is known by phone alone, so the two may be one contact.
create or replace function may_be_under_hidden_id(p parked_own_message, p_conversation text) returns boolean
  language sql stable as $$
  select is_hidden(p.message->>'chatId')
    and not exists (select 1 from conversation c join contact_alias a on a.contact_id = c.contact_id
      where c.id = p.conversation_id and is_phone(a.chat_id))
    and exists (select 1 from conversation c where c.id = p_conversation and is_phone(c.chat_id)
      and not exists (select 1 from contact_alias a where a.contact_id = c.contact_id and is_hidden(a.chat_id)))
$$;

-- Lists the parked messages of the account that a person may just have written in the conversation on the phone.
create or replace function live_own_messages(p_session text, p_conversation text, p_live_ms integer)
returns setof parked_own_message language sql stable as $$
  select p.* from parked_own_message p
  where p.session_id = p_session and was_live(p, p_live_ms) and not is_held(p)
    -- A message that could not be adopted at the first attempt holds back its own conversation only.
    and (p.conversation_id = p_conversation or (p.attempts = 0 and may_be_under_hidden_id(p, p_conversation)))
    -- An echo may have been parked in the moment in which its send was recorded.
    and not exists (select 1 from message m
      where m.session_id = p.session_id and m.direction = 'out' and m.network_id = p.network_id
        and m.origin <> 'history')
$$;

-- True when an event waits to be applied that tells of an own message in the conversation, under an id that no send of
-- ours has. While the contact's hidden id is not known, an event under a hidden id of no known contact counts, too,
-- because an earlier event may yet say that the id is this contact's.
create or replace function has_untold_own_message(p_conversation text) returns boolean language sql stable as $$
  select exists (
    select 1 from conversation c join session s on s.id = c.session_id join backend_event e on e.session_name = s.name
    where c.id = p_conversation and e.own_network_id is not null and e.applied_at is null and e.parked_at is null
      and (e.backend is null or e.backend = s.backend)
      and (c.chat_id = any(e.own_chat_ids)
        or exists (select 1 from contact_alias a where a.contact_id = c.contact_id and a.chat_id = any(e.own_chat_ids))
        or (is_hidden(e.own_chat_ids[1])
          and not exists (select 1 from contact_alias a where a.agency_id = c.agency_id and a.tenant_id = c.tenant_id
            and a.chat_id = any(e.own_chat_ids))
          and not exists (select 1 from contact_alias a where a.contact_id = c.contact_id and is_hidden(a.chat_id))))
      and not exists (select 1 from message m
        where m.session_id = s.id and m.direction = 'out' and m.network_id = e.own_network_id
          and m.origin <> 'history')
      and not exists (select 1 from message m
        where m.session_id = s.id and m.status = 'sending' and m.chosen_network_id = e.own_network_id))
$$;

-- Answers what suggests that a person is writing in the conversation on the phone: whether an own message is untold,
-- and the own messages that are parked, with the milliseconds until they are a person's.
create or replace function phone_facts(p_session text, p_conversation text, p_live_ms integer, p_adopt_ms integer)
returns jsonb language sql stable as $$
  select jsonb_build_object('isUntold', has_untold_own_message(p_conversation), 'parked', (
    select coalesce(jsonb_agg(jsonb_build_object('message', p.message, 'conversationId', p.conversation_id,
      'dueInMs', (extract(epoch from p.parked_at - clock_timestamp()) * 1000 + p_adopt_ms)::float8)), '[]')
    from live_own_messages(p_session, p_conversation, p_live_ms) p))
$$;

-- Claims a message for the one call to the backend; this is the fence before the call. It share-locks the conversation
-- and the tenant, so it sees every takeover that has been answered, and a later takeover waits until the claim has
-- committed. Answers `crowded` when the session has as many sends in flight as it may, and `ask_phone` for a message of
-- the agent while somebody may be writing on the phone, unless the caller has found out that nobody is
-- (`phoneIsKnown`).
create or replace function claim_message(p jsonb) returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  v_now timestamptz := (p->>'now')::timestamptz;
  v_id text := p->>'messageId';
  v_conversation text;
  v_is_in_doubt boolean;
  asked record;
begin
  -- When a merge, or the undoing of one, has moved the message while the lock was waited for, the conversation that the
  -- message is in now is locked.
  loop
    select c.id into v_conversation from message m join conversation c on c.id = m.conversation_id
    join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id
    where m.id = v_id for share of c, t;

    select m.status, m.origin, m.via, m.session_id, m.conversation_id, s.backend, s.name as session_name, s.platform,
      c.chat_id, m.kind, m.body, m.content, m.bulk, m.reply_to_network_id, m.reply_to_from_me, m.chosen_network_id,
      is_working(s.status) and not is_ending(s.asked) as working,
      is_suspended(a.status) as suspended, m.released_at is not null as released,
      coalesce(m.expires_at <= v_now, false) as expired,
      -- When the agent hands the conversation over, its last words bear the epoch of that handover, so only those words
      -- may still go.
      (c.epoch = m.conversation_epoch and t.ai_epoch = m.tenant_epoch and (c.mode = 'bot_active' or agent_has_left(c))
        and tenant_silence(t) is null) as fence_holds,
      (c.mode = 'human_takeover' or t.ai_mode = 'human_takeover') as taken,
      -- A run that speaks beside people gives its messages no epoch.
      (m.conversation_epoch is not null and (t.ai_mode = 'human_takeover' or e.taken_over_at is not null
        or (c.mode = 'human_takeover' and c.epoch <> m.conversation_epoch))) as taken_since,
      case when m.while_so then is_no_longer_so(e, c.id) end as no_longer_so,
      (m.transactional is not true and has_opted_out(c.contact_id)) as opted_out,
      case when m.via = 'automation'
        then exists (select from automation_stop x where x.agency_id in ('', m.agency_id)) end as is_stopped,
      (not c.contacted and not is_group(c.chat_id) and is_restricted(s.id, v_now)
        and not exists (select 1 from message o
        where o.conversation_id = c.id and was_said(o.status))) as restricted
    into asked
    from message m join conversation c on c.id = m.conversation_id join session s on s.id = m.session_id
    join agency a on a.id = m.agency_id join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id
    left join automation_execution e on e.id = m.execution_id
    where m.id = v_id and m.conversation_id = v_conversation for update of m;
    exit when asked.status is not null or v_conversation is null;
  end loop;
  if asked.status = 'sending' then return jsonb_build_object('claim', 'unsettled'); end if;
  if asked.status is distinct from 'queued' then return jsonb_build_object('claim', 'ended'); end if;
  if asked.origin = 'ai' and asked.fence_holds is not true then
    return jsonb_build_object('claim', 'refused', 'conversationId', asked.conversation_id, 'status', 'cancelled',
      'reason', case when asked.taken then 'taken_over' else 'ai_paused' end);
  end if;
  if asked.via = 'automation' and asked.taken_since then
    return jsonb_build_object('claim', 'refused', 'conversationId', asked.conversation_id, 'status', 'cancelled',
      'reason', 'taken_over');
  end if;
  if asked.no_longer_so then
    -- A process of the former release does not know the reason.
    return jsonb_build_object('claim', 'refused', 'conversationId', asked.conversation_id, 'status', 'cancelled',
      'reason', case when p ? 'knowsNoLongerSo' then 'no_longer_so' else 'taken_over' end);
  end if;
  -- A process of the former release does not know the reason, so its claims do not ask for it.
  if asked.opted_out and p ? 'heedsOptOut' then
    return jsonb_build_object('claim', 'refused', 'conversationId', asked.conversation_id, 'status', 'failed',
      'reason', 'opted_out');
  end if;
  if asked.is_stopped and p ? 'heedsOptOut' then
    return jsonb_build_object('claim', 'refused', 'conversationId', asked.conversation_id, 'status', 'cancelled',
      'reason', 'automations_stopped');
  end if;
  if asked.expired then
    return jsonb_build_object('claim', 'refused', 'conversationId', asked.conversation_id, 'status', 'failed',
      'reason', 'expired');
  end if;
  if not asked.released or asked.suspended or not asked.working then
    return jsonb_build_object('claim', 'not_now', 'reason', case when not asked.released then 'held'
      when asked.suspended then 'suspended' else 'session_not_working' end);
  end if;

  if asked.origin = 'ai' and not (p->>'phoneIsKnown')::boolean then
    -- One statement looks at both, because one transaction turns an event into a parked message.
    select has_untold_own_message(asked.conversation_id) or exists (
      select 1 from live_own_messages(asked.session_id, asked.conversation_id, (p->>'liveMs')::integer))
    into v_is_in_doubt;
    if v_is_in_doubt then
      return jsonb_build_object('claim', 'ask_phone', 'sessionId', asked.session_id,
        'conversationId', asked.conversation_id);
    end if;
  end if;
  if asked.restricted then
    return jsonb_build_object('claim', 'not_now', 'reason', 'restricted',
      'refundedSession', case when refund_slot(v_id, v_now) then asked.session_id end);
  end if;
  if not has_room_for_send(asked.session_id, v_now) then return jsonb_build_object('claim', 'crowded'); end if;

  with claimed as (
    update message set status = 'sending', claim_token = (p->>'token')::uuid, claimed_at = v_now, updated_at = v_now,
      taken_at = coalesce(taken_at, v_now - (p->>'takenForMs')::float8 * interval '1 millisecond'),
      claim_owner = (p->>'owner')::bigint, attempts = attempts + 1,
      chosen_network_id = coalesce(chosen_network_id, p->>'chosenNetworkId'),
      lost_at = null, lost_cause = null, owner_gone_at = null, slice = p->>'slice',
      -- From now on it is said to the address that the conversation has, whichever was named.
      chat_id = case when chat_id is not null then asked.chat_id end
    where id = v_id returning id
  )
  insert into message_history (message_id, at, status) select id, v_now, 'sending' from claimed;
  return jsonb_build_object('claim', 'claimed', 'messageId', v_id, 'sessionId', asked.session_id,
    'backend', asked.backend, 'sessionName', asked.session_name, 'conversationId', asked.conversation_id,
    'chatId', asked.chat_id, 'platform', asked.platform, 'kind', asked.kind, 'text', asked.body,
    'content', asked.content, 'bulk', asked.bulk,
    'networkId', coalesce(asked.chosen_network_id, p->>'chosenNetworkId'),
    'replyTo', case when asked.reply_to_network_id is not null then jsonb_build_object(
      'networkId', asked.reply_to_network_id, 'fromMe', coalesce(asked.reply_to_from_me, false)) end);
end
$$;
