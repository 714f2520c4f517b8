-- Accepts one message: recipient, row, place in the queue, history and, for the head, the promise to deliver it.
create or replace function accept_send(p jsonb) returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  v_now timestamptz := (p->>'now')::timestamptz;
  v_agency text := p->>'agencyId';
  v_tenant text := p->>'tenantId';
  v_session text;
  v_conversation text := p->>'conversationId';
  v_chat text := p->>'chatId';
  v_contact text;
  v_seq bigint;
begin
  -- A turn sends once, however often its activity runs; `message_turn` stops two that run at the same time.
  if exists (select 1 from message where turn_id = p->>'turnId') then
    return jsonb_build_object('outcome', 'turn_has_sent');
  end if;
  select id into v_session from session
  where agency_id = v_agency and tenant_id = v_tenant
    and case when p->>'boundSession' is not null
        then id = p->>'boundSession' and (p->>'session' is null or p->>'session' in (id, name))
        when p->>'session' is null and v_conversation is not null
        then id = (select session_id from conversation where id = v_conversation)
        when p->>'session' is null then is_default
        else p->>'session' in (id, name) end
  limit 1;
  if v_session is null then return jsonb_build_object('outcome', 'no_session'); end if;

  if v_conversation is null and p->>'contactId' is not null then
    select chat_id into v_chat from contact where id = p->>'contactId' and agency_id = v_agency and tenant_id = v_tenant;
    if v_chat is null then return jsonb_build_object('outcome', 'no_contact'); end if;
  end if;
  if v_conversation is null then
    select id into v_conversation from ensure_conversation(v_agency, v_tenant, v_session, v_chat,
      case when v_chat like '%@c.us' or v_chat like '%@lid' then array[v_chat] else '{}'::text[] end, null, null,
      p->>'newConversationId', p->>'newContactId');
  end if;

  update conversation set last_seq = last_seq + 1, last_message_id = p->>'messageId',
    last_message_body = left(p->>'text', 500), last_message_from_me = true, last_message_at = greatest(last_message_at, v_now)
  where id = v_conversation and (agency_id, tenant_id, session_id) is not distinct from (v_agency, v_tenant, v_session)
  returning last_seq, contact_id into v_seq, v_contact;
  if v_seq is null then return jsonb_build_object('outcome', 'no_conversation'); end if;

  insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind, body,
    occurred_at, status, lane, chat_seq, conversation_epoch, tenant_epoch, turn_id, expires_at, created_at, updated_at)
  values (p->>'messageId', v_agency, v_tenant, v_session, v_conversation, v_contact, 'out', p->>'origin', 'text', p->>'text',
    v_now, 'queued', (p->>'lane')::smallint, v_seq, (p->>'conversationEpoch')::integer, (p->>'tenantEpoch')::integer,
    p->>'turnId', (p->>'expiresAt')::timestamptz, v_now, v_now);
  insert into message_history (message_id, at, status) values (p->>'messageId', v_now, 'queued');
  return jsonb_build_object('outcome', 'accepted', 'conversationId', v_conversation, 'contactId', v_contact,
    'released', promote(v_conversation, v_now, p->'names'));
end
$$;
