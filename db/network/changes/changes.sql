-- Finds the message of a session that somebody has done something to, and locks its conversation; no row when it has
-- not come. `is_elsewhere`: what was done came from another chat.
create or replace function find_changed_message(p_session text, p_network_id text, p_chat_id text)
returns table (id text, agency_id text, tenant_id text, conversation_id text, chat_id text, contact_id text,
  participant text, from_me boolean, is_revoked boolean, is_elsewhere boolean)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_conversation text;
begin
  select m.conversation_id into v_conversation from message m
  where m.session_id = p_session and m.network_id = p_network_id and m.direction in ('in', 'out')
    -- Dashboards know nothing yet of a message that waits for its content, so what was done to it waits, too.
    and not exists (select 1 from awaited_content a where a.message_id = m.id)
  order by m.direction desc limit 1;
  if not found then return; end if;
  perform lock_conversation(v_conversation);
  return query
    select m.id, m.agency_id, m.tenant_id, m.conversation_id, c.chat_id, m.contact_id, m.participant,
      m.direction = 'out', m.revoked_at is not null,
      p_chat_id is not null and p_chat_id not in (c.chat_id, coalesce(m.chat_id, c.chat_id))
        and not exists (select 1 from contact_alias a where a.agency_id = m.agency_id and a.tenant_id = m.tenant_id
          and a.chat_id = p_chat_id and a.contact_id = c.contact_id)
        -- A phone and a hidden id may be the same person's, as long as nobody knows better.
        and (split_part(p_chat_id, '@', 2) = split_part(c.chat_id, '@', 2)
          or exists (select 1 from conversation o where o.session_id = p_session and o.chat_id = p_chat_id
            and conversation_now(o) <> m.conversation_id)
          or exists (select 1 from contact_alias a where a.agency_id = m.agency_id and a.tenant_id = m.tenant_id
            and a.chat_id = p_chat_id))
    from message m join conversation c on c.id = m.conversation_id
    where m.session_id = p_session and m.network_id = p_network_id and m.direction in ('in', 'out')
    order by m.direction desc limit 1;
end
$$;

-- Keeps an edit as a version of its message, which gets the words of the newest edit; the version of before the first
-- edit is kept, too. True when the message has other words now. Needs the conversation's lock.
create or replace function edit_message(p_message text, p jsonb, p_now timestamptz)
returns boolean language plpgsql set enable_seqscan = off as $$
declare
  v_body text;
  v_at timestamptz;
  v_before text;
  v_newest text;
  -- The name that the edit has where no id of its own is told.
  v_unnamed text := p->>'unnamedId';
begin
  insert into message_version (message_id, edit_id, body, at, told_at)
  select m.id, '', m.body, m.occurred_at, m.occurred_at from message m
  where m.id = p_message and not exists (select 1 from message_version v where v.message_id = p_message)
  on conflict do nothing;
  if p->>'editId' = v_unnamed then
    -- A list shows the words without the edit's id: it tells nothing new where the newest edit says the same.
    select v.body into v_newest from message_version v
    where v.message_id = p_message and v.edit_id <> '' order by v.at desc, v.told_at desc, v.edit_id desc limit 1;
    if v_newest = p->>'body' then return false; end if;
  else
    -- A list showed this version without an id; a later report names it.
    delete from message_version v where v.message_id = p_message and v.edit_id = v_unnamed;
  end if;
  insert into message_version (message_id, edit_id, body, at, told_at)
  values (p_message, p->>'editId', p->>'body', (p->>'at')::timestamptz, (p->>'toldAt')::timestamptz)
  on conflict do nothing;
  if not found then return false; end if;
  select v.body, v.at into v_body, v_at from message_version v
  where v.message_id = p_message and v.edit_id <> '' order by v.at desc, v.told_at desc, v.edit_id desc limit 1;
  update conversation c set last_message_body = left(v_body, (p->>'lineLength')::integer)
  from message m where m.id = p_message and c.id = m.conversation_id and c.last_message_id = m.id
    and m.revoked_at is null;
  select m.body into v_before from message m where m.id = p_message;
  update message m set body = v_body, edited_at = v_at, updated_at = p_now
  where m.id = p_message and (m.body, m.edited_at) is distinct from (v_body, v_at);
  return v_before is distinct from v_body;
end
$$;

-- Keeps somebody's reaction to a message, or their vote, unless a later one is known. `addresses` are those of a member
-- of a group, who may be known by any of them. True when the message shows something else now.
create or replace function respond_to_message(p_message text, p jsonb, p_now timestamptz)
returns boolean language plpgsql set enable_seqscan = off as $$
declare
  v_kind text := p->>'kind';
  v_responder text;
  v_value text[] := case when jsonb_typeof(p->'value') = 'array'
    then array(select jsonb_array_elements_text(p->'value')) end;
  v_before text[];
begin
  select r.responder, r.value into v_responder, v_before from message_response r
  where r.message_id = p_message and r.kind = v_kind
    and r.responder = any(array(select jsonb_array_elements_text(p->'addresses')))
  limit 1;
  if not found then v_before := '{}'; end if;
  insert into message_response as r (message_id, kind, responder, value, at, told_at)
  values (p_message, v_kind, coalesce(v_responder, p->'addresses'->>0), v_value, (p->>'at')::timestamptz,
    (p->>'toldAt')::timestamptz)
  on conflict (message_id, kind, responder) do update
    set value = excluded.value, at = excluded.at, told_at = excluded.told_at
    where (excluded.at, excluded.told_at) > (r.at, r.told_at);
  if not found or v_before is not distinct from v_value then return false; end if;
  update message set responded_at = p_now, updated_at = p_now where id = p_message;
  return true;
end
$$;
