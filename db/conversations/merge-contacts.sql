-- Locks contacts and all their conversations, and some more conversations, in the same order in all transactions. A
-- transaction that adds an address or a conversation to a contact has done so before, or waits and then finds the
-- merged contact.
create or replace function lock_people(p_contacts text[], p_conversations text[])
returns void language plpgsql set enable_seqscan = off as $$
declare
  v_ids text[];
begin
  perform 1 from contact where id = any (p_contacts) order by id for update;
  select array_agg(l.id) into v_ids from (
    select id from conversation where contact_id = any (p_contacts) union select unnest(p_conversations)) l;
  perform 1 from conversation where id = any (v_ids) order by id for update;
end
$$;

-- True when a merge of these two contacts was undone, or of contacts whose addresses they have now: nothing merges them
-- again.
create or replace function are_apart(p_agency text, p_tenant text, p_one text, p_other text)
returns boolean language sql stable as $$
  select exists (
    select 1 from contact_merge g,
      (select array_agg(chat_id) as chat_ids from contact_alias where contact_id = p_one) one,
      (select array_agg(chat_id) as chat_ids from contact_alias where contact_id = p_other) other
    where g.agency_id = p_agency and g.tenant_id = p_tenant and g.undone_at is not null
      and ((g.apart_from && one.chat_ids and g.apart_into && other.chat_ids)
        or (g.apart_into && one.chat_ids and g.apart_from && other.chat_ids)))
$$;

-- Answers the one contact of these addresses, which the network has named as one person's. If several contacts have
-- them, the contacts are merged. The contact with the phone stays, else the oldest one. Contacts that an operator has
-- taken apart stay apart: the answer is then the contact of the first address, which is that of the chat.
create or replace function unite_contacts(
  p_agency text, p_tenant text, p_chat_ids text[], p_session text, p_network_id text)
returns text language plpgsql set enable_seqscan = off as $$
declare
  v_own text;
  v_all text[];
  v_locked text[];
  v_from text;
begin
  loop
    select contact_id into v_own from contact_alias
    where agency_id = p_agency and tenant_id = p_tenant and chat_id = p_chat_ids[1];
    select array_agg(k.contact_id order by k.has_phone desc, k.contact_id) into v_all
    from (select contact_id, bool_or(is_phone(chat_id)) as has_phone from contact_alias
      where agency_id = p_agency and tenant_id = p_tenant and chat_id = any (p_chat_ids) group by contact_id) k
    where k.contact_id = v_own or not are_apart(p_agency, p_tenant, v_own, k.contact_id);
    if cardinality(v_all) = 1 then return v_all[1]; end if;
    -- Another transaction may have merged the contacts meanwhile, so they are read again under the locks.
    exit when v_all = v_locked;
    perform lock_people(v_all, '{}');
    v_locked := v_all;
  end loop;
  foreach v_from in array v_all[2:] loop
    continue when v_from <> v_own and are_apart(p_agency, p_tenant, v_from, v_all[1]);
    -- Without a message the addresses come from asking the network for the phone behind a hidden id.
    perform merge_contact(v_from, v_all[1], case when p_network_id is null then 'hidden_id_check' else 'message' end,
      p_session, nullif(p_network_id, ''), p_chat_ids);
  end loop;
  return v_all[1];
end
$$;

-- Makes two contacts one, in every session of the tenant. Both are locked (`lock_people`). The first contact stays as a
-- row without addresses, and its chat id leads to the second, because dashboards know its id. Returns the entry of the
-- ledger.
create or replace function merge_contact(
  p_from text, p_into text, p_cause text, p_session text, p_network_id text, p_chat_ids text[])
returns bigint language plpgsql set enable_seqscan = off as $$
declare
  v_merge bigint;
  v_agency text;
  v_tenant text;
  pair record;
begin
  select agency_id, tenant_id into v_agency, v_tenant from contact where id = p_from;
  perform finish_undoing(array[p_from, p_into]);
  insert into contact_merge (agency_id, tenant_id, from_contact_id, into_contact_id, cause, session_id, network_id,
    chat_ids, before, is_untold)
  select v_agency, v_tenant, p_from, p_into, p_cause, p_session, p_network_id, p_chat_ids, jsonb_build_object(
    'contacts', (select jsonb_agg(to_jsonb(c) order by c.id) from contact c where c.id in (p_from, p_into)),
    'usage', (select jsonb_agg(to_jsonb(u) order by u.day) from ai_usage u
      where u.agency_id = v_agency and u.tenant_id = v_tenant and u.contact_id = p_from),
    'usageDays', array(select u.day from ai_usage u
      where u.agency_id = v_agency and u.tenant_id = v_tenant and u.contact_id = p_into order by u.day),
    'listed', (select jsonb_agg(to_jsonb(s)) from session_contact s where s.contact_id = p_into)), true
  returning id into v_merge;
  for pair in
    select a.id as from_id, b.id as into_id from conversation a left join conversation b
      on b.session_id = a.session_id and b.contact_id = p_into
    where a.contact_id = p_from order by a.id
  loop
    if pair.into_id is null then
      perform give_conversation(v_merge, pair.from_id, p_into);
    else
      perform merge_conversation(v_merge, pair.from_id, pair.into_id);
    end if;
  end loop;
  with moved as (update contact_alias set contact_id = p_into where contact_id = p_from returning chat_id)
  insert into merge_move (merge_id, kind, from_id, into_id, ids)
  select v_merge, 'contact_alias', p_from, p_into, array_agg(chat_id) from moved having count(*) > 0;
  with moved as (update memory set contact_id = p_into where contact_id = p_from returning id)
  insert into merge_move (merge_id, kind, from_id, into_id, ids)
  select v_merge, 'memory', p_from, p_into, array_agg(id) from moved having count(*) > 0;
  with moved as (update note set contact_id = p_into where contact_id = p_from returning id)
  insert into merge_move (merge_id, kind, from_id, into_id, ids)
  select v_merge, 'note', p_from, p_into, array_agg(id) from moved having count(*) > 0;
  -- A fact that both contacts have holds once: the entered memory before the extracted one. The superseded memory holds
  -- again when the other is deleted.
  with superseded as (
    update memory d set superseded_by = k.id
    from (select id, first_value(id) over (
        partition by agency_id, tenant_id, fact_key order by source = 'ai_extracted', id) as kept
      from memory where contact_id = p_into and superseded_by is null
        and (expires_at is null or expires_at > clock_timestamp())) s
    join memory k on k.id = s.kept
    where d.id = s.id and s.id <> s.kept returning d.id
  )
  insert into merge_move (merge_id, kind, from_id, into_id, ids)
  select v_merge, 'memory_superseded', p_from, p_into, array_agg(id) from superseded having count(*) > 0;
  -- The usage of both contacts is added up, so a second number gives a person no second budget.
  with used as (
    delete from ai_usage where agency_id = v_agency and tenant_id = v_tenant and contact_id = p_from
    returning agency_id, tenant_id, day, replies, tokens, cost_micros
  )
  insert into ai_usage as u (agency_id, tenant_id, contact_id, day, replies, tokens, cost_micros)
  select agency_id, tenant_id, p_into, day, replies, tokens, cost_micros from used order by day
  on conflict (agency_id, tenant_id, contact_id, day) do update set replies = u.replies + excluded.replies,
    tokens = u.tokens + excluded.tokens, cost_micros = u.cost_micros + excluded.cost_micros;
  with moved as (
    update ai_reservation set contact_id = p_into
    where agency_id = v_agency and tenant_id = v_tenant and contact_id = p_from returning id
  )
  insert into merge_move (merge_id, kind, from_id, into_id, ids)
  select v_merge, 'ai_reservation', p_from, p_into, array_agg(id) from moved having count(*) > 0;
  -- Each account that knows either contact knows the one that stays, who is blocked if one of them was. The accounts'
  -- entries of the contact that went stay as they are, in case the merge is undone.
  insert into session_contact as s (session_id, contact_id, is_my_contact, is_blocked, decided_at)
  select session_id, p_into, is_my_contact, is_blocked, decided_at from session_contact
  where contact_id = p_from order by session_id
  on conflict (session_id, contact_id) do update set is_my_contact = s.is_my_contact or excluded.is_my_contact,
    is_blocked = s.is_blocked or excluded.is_blocked, decided_at = greatest(s.decided_at, excluded.decided_at);
  update contact o set name = coalesce(o.name, n.name), push_name = coalesce(o.push_name, n.push_name),
    opted_out_at = coalesce(o.opted_out_at, n.opted_out_at), opted_out_by = coalesce(o.opted_out_by, n.opted_out_by),
    chat_id = case when not is_phone(o.chat_id) and is_phone(n.chat_id) then n.chat_id else o.chat_id end
  from contact n where o.id = p_into and n.id = p_from;
  -- The network has told who this is, so it is not asked any more.
  update contact set ask_phone_at = null
  where ask_phone_at is not null and (id = p_from or (id = p_into and is_phone(chat_id)));
  update contact_merge set after = (select to_jsonb(c) from contact c where c.id = p_into) where id = v_merge;
  return v_merge;
end
$$;

-- Gives the conversation's contact another number under which the network knows them. If the number belongs to another
-- contact, the two contacts become one, in every session of the tenant. Returns the conversation to send in.
create or replace function adopt_chat_id(p_conversation text, p_chat_id text)
returns text language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_id text;
  c record;
  v_other text;
  v_into text;
  v_merge bigint;
  pair record;
begin
  loop
    select conversation_now(k) into v_id from conversation k where k.id = p_conversation;
    select agency_id, tenant_id, session_id, contact_id into c from conversation where id = v_id;
    if c.contact_id is null then return v_id; end if;
    insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
    values (c.agency_id, c.tenant_id, p_chat_id, c.contact_id) on conflict do nothing;
    select contact_id into v_other from contact_alias
    where agency_id = c.agency_id and tenant_id = c.tenant_id and chat_id = p_chat_id;
    -- The message that waits for this answer is in one of these conversations.
    perform lock_people(array[c.contact_id, v_other],
      array(select v_id union select id from conversation where session_id = c.session_id and chat_id = p_chat_id));
    -- The search begins again if another transaction has merged them meanwhile.
    exit when exists (select 1 from conversation l where l.id = v_id and l.contact_id = c.contact_id)
      and exists (select 1 from contact_alias where agency_id = c.agency_id and tenant_id = c.tenant_id
        and chat_id = p_chat_id and contact_id = v_other);
  end loop;
  if v_other <> c.contact_id and are_apart(c.agency_id, c.tenant_id, c.contact_id, v_other) then return v_id; end if;
  if v_other <> c.contact_id then
    v_merge := merge_contact(c.contact_id, v_other, 'number_check', c.session_id, null, array[p_chat_id]);
  end if;
  -- Dashboards may keep the old contact's id; its chat id leads to the same chat and so to the same contact.
  update contact set chat_id = p_chat_id where id in (c.contact_id, v_other);
  select conversation_now(k) into v_into from conversation k where k.id = v_id;
  -- Another conversation with this chat id was made before the two addresses were known to be one person's; it has
  -- another contact, or none.
  for pair in
    select id, contact_id from conversation
    where session_id = c.session_id and chat_id = p_chat_id and id <> v_into and merged_into is null
  loop
    if v_merge is null then
      perform finish_undoing(array[pair.contact_id, v_other]);
      insert into contact_merge (agency_id, tenant_id, from_contact_id, into_contact_id, cause, session_id, chat_ids,
        is_untold)
      values (c.agency_id, c.tenant_id, pair.contact_id, v_other, 'number_check', c.session_id, array[p_chat_id], true)
      returning id into v_merge;
    end if;
    perform merge_conversation(v_merge, v_into, pair.id);
    perform give_conversation(v_merge, pair.id, v_other);
    -- The memories that rest on messages of that conversation are now this contact's.
    with moved as (
      update memory m set contact_id = v_other from message e
      where m.contact_id = pair.contact_id and e.id = m.evidence_message_id and e.conversation_id = pair.id
      returning m.id
    )
    insert into merge_move (merge_id, kind, from_id, into_id, ids)
    select v_merge, 'memory', pair.contact_id, v_other, array_agg(id) from moved having count(*) > 0;
    v_into := pair.id;
  end loop;
  update conversation k set chat_id = p_chat_id where k.id = v_into and k.chat_id <> p_chat_id
    and not exists (select 1 from conversation o where o.session_id = k.session_id and o.chat_id = p_chat_id);
  return v_into;
end
$$;
