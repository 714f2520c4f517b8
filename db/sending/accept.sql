-- True when the contact wants no more messages.
create or replace function has_opted_out(p_contact text) returns boolean language sql stable as $$
  select exists (select 1 from contact where id = p_contact and opted_out_at is not null)
$$;

-- Accepts one request as one message or several of a conversation. It writes the recipient, the rows, their places in
-- the queue and the history, and promises the delivery of the head.
create or replace function accept_send(p jsonb) returns jsonb language plpgsql
  set enable_seqscan = off as $$
declare
  v_now timestamptz := (p->>'now')::timestamptz;
  v_agency_id text := p->>'agencyId';
  v_tenant_id text := p->>'tenantId';
  v_session_id text := p->>'boundSession';
  v_named_session text := p->>'session';
  sender record;
  v_conversation_id text := p->>'conversationId';
  v_chat_id text := p->>'chatId';
  v_named text;
  v_contact_id text;
  v_part_count integer := jsonb_array_length(p->'parts');
  v_first_id text := p->'parts'->0->>'messageId';
  v_send_at timestamptz := (p->>'sendAt')::timestamptz;
  v_status text := case when p ? 'sendAt' then 'scheduled' else 'queued' end;
  v_preview text := left(p->'parts'->-1->>'body', 500);
  v_last_id text := p->'parts'->-1->>'messageId';
  v_last_place bigint;
  v_quoted_id text;
  v_quoted_from_me boolean;
  v_media jsonb;
  v_head_id text;
  v_promoted text := 'held';
  v_plan jsonb;
begin
  -- A turn sends once, however often its activity runs: the caller holds the lock of the turn's row, so no other run
  -- accepts for the turn between this check and the insert.
  if p ? 'turnId' and exists (select 1 from message where turn_id = p->>'turnId' and direction = 'out') then
    return jsonb_build_object('outcome', 'turn_has_sent');
  end if;

  -- Here and below `is not distinct from` keeps an index of the scope out of the plan, so that a plan made while the
  -- table was empty goes by the id.
  if v_conversation_id is not null then
    select conversation_now(c), c.contact_id,
      coalesce(v_session_id, case when v_named_session is null then c.session_id end),
      case when c.merged_into is not null then c.chat_id end
    into v_conversation_id, v_contact_id, v_session_id, v_named
    from conversation c where c.id = v_conversation_id
      and (c.agency_id, c.tenant_id) is not distinct from (v_agency_id, v_tenant_id);
    if v_conversation_id is null then return jsonb_build_object('outcome', 'no_conversation'); end if;
    if v_conversation_id <> p->>'conversationId' then
      -- The merge may end before the lock is there, and the message would go to the other person then.
      v_conversation_id := lock_conversation(p->>'conversationId');
      select contact_id into v_contact_id from conversation where id = v_conversation_id;
    end if;
  end if;
  select s.id, s.platform, may_send(s.status, a.status) as may_send, is_suspended(a.status) as suspended,
    is_paced(t.settings, d.per_minute) or is_held(s.id, v_now) as paced
  into sender
  from session s join agency a on a.id = s.agency_id join tenant t on t.agency_id = s.agency_id and t.id = s.tenant_id
  cross join pace_default d
  where d.one and s.agency_id = v_agency_id and s.tenant_id = v_tenant_id and s.wish <> 'deleted'
    and (v_named_session is null or v_named_session in (s.id, s.name))
    and (case when v_session_id is not null then s.id = v_session_id
      else v_named_session is not null or s.is_default end)
  limit 1;
  if not found then return jsonb_build_object('outcome', 'no_session'); end if;
  v_session_id := sender.id;
  if p->'unable' ? upper(sender.platform) then
    return jsonb_build_object('outcome', 'not_supported', 'platform', sender.platform);
  end if;
  if p->>'forwardsIn' <> v_session_id then return jsonb_build_object('outcome', 'other_session'); end if;
  if p ? 'notBeside' and exists (select 1 from pg_stat_activity
    where datname = current_database() and application_name = p->>'notBeside') then
    return jsonb_build_object('outcome', 'former_process');
  end if;

  if v_conversation_id is null and p->>'contactId' is not null then
    select chat_id into v_chat_id from contact
      where id = p->>'contactId' and agency_id = v_agency_id and tenant_id = v_tenant_id;
    if v_chat_id is null then return jsonb_build_object('outcome', 'no_contact'); end if;
  end if;

  if v_conversation_id is null and (is_phone(v_chat_id) or is_hidden(v_chat_id)) then
    select contact_id into v_contact_id from contact_alias
    where agency_id = v_agency_id and tenant_id = v_tenant_id and chat_id = v_chat_id;
    if v_contact_id is not null then
      select id into v_conversation_id from conversation where contact_id = v_contact_id and session_id = v_session_id;
    end if;
  end if;

  -- The caller then accepts it in a transaction, in which it ends at once and is told of.
  if p->>'ifOptedOut' = 'refuse' and has_opted_out(v_contact_id) then
    return jsonb_build_object('outcome', 'opted_out');
  end if;

  -- The quoted message is looked up before anything is written, so a request that is refused leaves no rows.
  if p ? 'replyTo' then
    select coalesce(m.network_id, m.matching_network_id), m.direction = 'out' into v_quoted_id, v_quoted_from_me
    from message m join conversation c on c.id = m.conversation_id
    where m.id = message_of(p->>'replyTo') and coalesce(m.network_id, m.matching_network_id) is not null
      and c.session_id = v_session_id
      -- A merge may move the conversation after it was found.
      and ((select conversation_now(k) from conversation k where k.id = v_conversation_id) = conversation_now(c)
        or (v_conversation_id is null and c.chat_id = v_chat_id));
    if v_quoted_id is null then return jsonb_build_object('outcome', 'no_reply_target'); end if;
  elsif p ? 'resendOf' then
    -- The new message takes over the stored file, because the address that the file was fetched from may not offer it
    -- any more.
    select reply_to_network_id, reply_to_from_me, case when media->'stored' is not null then media end
    into v_quoted_id, v_quoted_from_me, v_media from message where id = p->>'resendOf';
  end if;

  -- For a new contact one statement makes the address, the contact and the conversation with its line in the chat list.
  -- It makes nothing when another transaction has inserted the same address first.
  if v_conversation_id is null and v_contact_id is null and v_send_at is null
    and (is_phone(v_chat_id) or is_hidden(v_chat_id)) then
    with address as (
      insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
      values (v_agency_id, v_tenant_id, v_chat_id, p->>'newContactId') on conflict do nothing returning contact_id
    ), person as (
      insert into contact (id, agency_id, tenant_id, chat_id, ask_phone_at, ask_session_id)
      select contact_id, v_agency_id, v_tenant_id, v_chat_id,
        case when is_hidden(v_chat_id) then clock_timestamp() end,
        case when is_hidden(v_chat_id) then v_session_id end from address
    )
    insert into conversation (id, agency_id, tenant_id, session_id, chat_id, contact_id, last_seq, last_message_id,
      last_message_body, last_message_from_me, last_message_at)
    select p->>'newConversationId', v_agency_id, v_tenant_id, v_session_id, v_chat_id, contact_id, v_part_count,
      v_last_id, v_preview, true, v_now
    from address on conflict do nothing
    returning id, contact_id, last_seq into v_conversation_id, v_contact_id, v_last_place;
  end if;
  if v_conversation_id is null then
    select id into v_conversation_id from ensure_conversation(v_agency_id, v_tenant_id, v_session_id, v_chat_id,
      case when is_phone(v_chat_id) or is_hidden(v_chat_id) then array[v_chat_id] else '{}'::text[] end,
      null, null, p->>'newConversationId', p->>'newContactId', null);
  end if;

  v_named := coalesce(v_named, v_chat_id);
  while v_last_place is null loop
    if v_send_at is not null then
      -- A scheduled message gets its place in the queue and its line in the chat list when it is due, because nothing
      -- is said until then.
      select contact_id, chat_id, 0 into v_contact_id, v_chat_id, v_last_place from conversation
      where id = v_conversation_id
        and (agency_id, tenant_id, session_id) is not distinct from (v_agency_id, v_tenant_id, v_session_id)
        and merged_into is null for no key update;
    else
      update conversation set last_seq = last_seq + v_part_count, last_message_id = v_last_id,
        last_message_body = v_preview, last_message_from_me = true, last_message_at = greatest(last_message_at, v_now)
      where id = v_conversation_id
        and (agency_id, tenant_id, session_id) is not distinct from (v_agency_id, v_tenant_id, v_session_id)
        and merged_into is null
      returning last_seq, contact_id, chat_id into v_last_place, v_contact_id, v_chat_id;
    end if;
    if v_last_place is null then
      -- The conversation was merged into another one while it was looked up or its lock was waited for.
      select lock_conversation(c.id), coalesce(v_named, c.chat_id) into v_conversation_id, v_named from conversation c
      where c.id = v_conversation_id
        and (c.agency_id, c.tenant_id, c.session_id) is not distinct from (v_agency_id, v_tenant_id, v_session_id);
      if v_conversation_id is null then return jsonb_build_object('outcome', 'no_conversation'); end if;
    end if;
  end loop;

  -- The first message becomes the head at once when nothing waits before it, as `promote` would make it, so its row is
  -- written once.
  if v_send_at is null and (v_last_place = v_part_count or not exists (
    select 1 from message where conversation_id = v_conversation_id and status in ('queued', 'sending'))) then
    v_head_id := v_first_id;
  end if;

  with part as (
    select value, ordinality::integer as place from jsonb_array_elements(p->'parts') with ordinality
  ), accepted as (
    insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
      body, content, media, occurred_at, status, scheduled_at, lane, bulk, chat_seq, request_id, reply_to_network_id,
      reply_to_from_me, resend_of, conversation_epoch, tenant_epoch, turn_id, ready_at, released_at, expires_at,
      created_at, updated_at, via, trace, transactional, execution_id, while_so,
      chat_id)
    select value->>'messageId', v_agency_id, v_tenant_id, v_session_id, v_conversation_id, v_contact_id, 'out',
      p->>'origin', value->>'kind', value->>'body', value->'content', coalesce(v_media, value->'media'), v_now,
      v_status, v_send_at,
      (p->>'lane')::smallint, (p->>'bulk')::boolean,
      case when v_send_at is null then v_last_place - v_part_count + place end,
      case when v_part_count > 1 then v_first_id end,
      case when place = 1 then v_quoted_id end, case when place = 1 then v_quoted_from_me end, p->>'resendOf',
      (p->>'conversationEpoch')::integer, (p->>'tenantEpoch')::integer, p->>'turnId',
      case when place = 1 and v_head_id is not null and sender.paced then v_now end,
      case when place = 1 and v_head_id is not null and sender.may_send and not sender.paced then v_now end,
      (p->>'expiresAt')::timestamptz, v_now, v_now, p->>'via', p->>'trace',
      (p->>'transactional')::boolean, p->>'executionId', (p->>'whileSo')::boolean,
      -- The address that was named, where the conversation has another: if the two turn out to be two people before the
      -- message goes, it goes to whose address this is.
      nullif(v_named, v_chat_id)
    from part
    returning id, status
  )
  insert into message_history (message_id, at, status) select id, v_now, status from accepted;

  if v_send_at is not null then
    v_plan := plan_of(v_first_id, v_now);
  elsif v_head_id is null and (sender.paced or sender.may_send) then
    v_promoted := promote(v_conversation_id, v_now);
  elsif v_head_id is not null and sender.paced then
    if sender.may_send then perform make_due(v_session_id, v_now); end if;
    v_promoted := 'ready';
  elsif v_head_id is not null and sender.may_send then
    perform promise_messages(array[v_head_id], false);
    v_promoted := 'released';
    v_plan := plan_row(v_now, 'now');
  end if;
  if not sender.may_send then
    -- No process needs to look now: the queue is let go once the session works again or the dashboard is active again.
    v_promoted := 'held';
    v_plan := coalesce(v_plan,
      plan_row(null, case when sender.suspended then 'suspended' else 'session_not_working' end));
  end if;
  v_plan := coalesce(v_plan, plan_of(v_first_id, v_now));
  -- The default waiting time counts from the moment at which the message may go, so the time that the rules hold the
  -- message does not use it up.
  if p ? 'expiresAfterMs' and (v_plan->>'sendAt')::timestamptz > coalesce(v_send_at, v_now) then
    update message
      set expires_at = (v_plan->>'sendAt')::timestamptz + (p->>'expiresAfterMs')::bigint * interval '1 millisecond'
    where id in (select value->>'messageId' from jsonb_array_elements(p->'parts'));
    v_plan := v_plan - 'expiresBefore';
  end if;
  return jsonb_build_object('outcome', 'accepted', 'conversationId', v_conversation_id, 'contactId', v_contact_id,
    'chatId', v_chat_id, 'platform', sender.platform, 'quotes', v_quoted_id is not null, 'sessionId', v_session_id,
      'promoted', v_promoted, 'plan', v_plan);
end
$$;

-- Accepts requests in one transaction and answers them in their order. Requests of several callers wait at most
-- `p_lock_wait_ms` for any lock, so that a conversation which somebody holds does not hold up the others.
create or replace function accept_sends(p_sends jsonb, p_lock_wait_ms integer) returns setof jsonb
  language plpgsql as $$
declare
  v_send jsonb;
begin
  if jsonb_array_length(p_sends) > 1 then perform set_config('lock_timeout', p_lock_wait_ms::text, true); end if;
  for v_send in select value from jsonb_array_elements(p_sends) loop
    return next accept_send(v_send);
  end loop;
end
$$;
