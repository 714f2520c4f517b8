-- What must be one round trip because every send or every inbound message pays for it. A statement of a function sees what
-- was committed before it began, so a lock that one statement waited for is respected by the next, which one large
-- statement would not do. Their plans are kept, also those made while the tables were empty: hence no sequential scans.

-- The person behind a set of addresses, made when none of them is known. New addresses are added to a person that is known
-- by another; an address that belongs to somebody else stays there. A phone becomes the address we write to.
create function ensure_contact(p_agency text, p_tenant text, p_chat_ids text[], p_name text, p_push_name text, p_new_id text)
returns text language plpgsql set enable_seqscan = off as $$
declare
  known text;
  known_count integer;
  winner text;
  phone text := (select c from unnest(p_chat_ids) c where c like '%@c.us' limit 1);
begin
  select min(contact_id), count(*) into known, known_count from contact_alias
  where agency_id = p_agency and tenant_id = p_tenant and chat_id = any (p_chat_ids);
  if known is not null and known_count = cardinality(p_chat_ids) then
    if p_name is not null or p_push_name is not null then
      update contact set name = coalesce(p_name, name), push_name = coalesce(p_push_name, push_name)
      where id = known and (name is distinct from coalesce(p_name, name) or push_name is distinct from coalesce(p_push_name, push_name));
    end if;
    return known;
  end if;
  if known is null then
    insert into contact (id, agency_id, tenant_id, chat_id, name, push_name)
    values (p_new_id, p_agency, p_tenant, coalesce(phone, p_chat_ids[1]), p_name, p_push_name);
  elsif phone is not null then
    update contact set chat_id = phone where id = known and chat_id not like '%@c.us';
  end if;
  -- In one order in all transactions, else two of them wait for each other.
  insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
  select p_agency, p_tenant, c, coalesce(known, p_new_id) from unnest(p_chat_ids) c order by c
  on conflict (agency_id, tenant_id, chat_id) do nothing;
  if known is not null then return known; end if;
  -- Somebody else may have made the same person at the same time: theirs stands, ours gives way.
  select contact_id into winner from contact_alias
  where agency_id = p_agency and tenant_id = p_tenant and chat_id = any (p_chat_ids) and contact_id <> p_new_id limit 1;
  if winner is null then return p_new_id; end if;
  update contact_alias set contact_id = winner where contact_id = p_new_id;
  delete from contact where id = p_new_id;
  return winner;
end
$$;

-- The conversation of a session with whoever has these addresses, made when there is none. A person is one conversation per
-- session, whichever of their addresses the network used this time; a group is its own.
create function ensure_conversation(p_agency text, p_tenant text, p_session text, p_chat_id text, p_chat_ids text[], p_name text,
  p_push_name text, p_new_conversation text, p_new_contact text)
returns table (id text, chat_id text, contact_id text) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  person text := null;
begin
  if cardinality(p_chat_ids) > 0 then
    person := ensure_contact(p_agency, p_tenant, p_chat_ids, p_name, p_push_name, p_new_contact);
  end if;
  for attempt in 1..2 loop
    return query select c.id, c.chat_id, c.contact_id from conversation c
      where c.session_id = p_session and c.contact_id = person;
    if found then return; end if;
    return query select c.id, c.chat_id, c.contact_id from conversation c
      where c.session_id = p_session and c.chat_id = p_chat_id;
    if found then return; end if;
    insert into conversation (id, agency_id, tenant_id, session_id, chat_id, contact_id, name)
    values (p_new_conversation, p_agency, p_tenant, p_session, p_chat_id, person, p_name)
    on conflict do nothing;
  end loop;
end
$$;

-- Promises the delivery of messages; names, priorities and the signal come from the caller, where each has its one place.
create function dispatch_messages(p_ids text[], p_action text, p_signal text, p_names jsonb)
returns integer language sql as $$
  with inserted as (
    insert into dispatch (workflow_type, workflow_id, action, signal, args, attributes, summary, priority, agency_id)
    select p_names->>'type', (p_names->>'prefix') || id, p_action, p_signal, jsonb_build_array(id),
      jsonb_build_object('AgencyId', agency_id, 'TenantId', tenant_id, 'SessionId', session_id,
        'ConversationId', conversation_id, 'MessageId', id),
      kind || ' → ' || conversation_id || ' · agency ' || agency_id,
      coalesce((p_names->'priorities'->>origin)::smallint, (p_names->'priorities'->>'api')::smallint), agency_id
    from message where id = any (p_ids)
    returning 1
  )
  select count(*)::integer from inserted
$$;

-- Releases the next message of a conversation when none is on its way: replies before bulk, first in first out within a
-- lane. Called under the conversation's lock. A session that may not send now holds its queue as rows.
create function promote(p_conversation text, p_now timestamptz, p_names jsonb)
returns integer language plpgsql set enable_seqscan = off as $$
declare
  next_id text;
begin
  update message m set released_at = p_now, updated_at = p_now
  where m.id = (
    select q.id from message q
    join session s on s.id = q.session_id and s.status = 'WORKING'
    join agency a on a.id = q.agency_id and a.status <> 'suspended'
    where q.conversation_id = p_conversation and q.status = 'queued' and q.released_at is null
      and not exists (
        select 1 from message h where h.conversation_id = p_conversation
          and (h.status = 'sending' or (h.status = 'queued' and h.released_at is not null)))
    order by q.lane, q.chat_seq limit 1)
  returning m.id into next_id;
  if next_id is null then return 0; end if;
  return dispatch_messages(array[next_id], 'start', null, p_names);
end
$$;

-- Accepts one message: recipient, row, place in the queue, history and, for the head, the promise to deliver it.
create function accept_send(p jsonb) returns jsonb language plpgsql set enable_seqscan = off as $$
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
