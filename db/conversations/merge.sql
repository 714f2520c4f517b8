-- Locks people and all their conversations, and some others, in one order in all transactions. Whoever is adding an
-- address or a conversation to one of them has done so, or waits and finds what they have become.
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

-- The one contact of these addresses, which the network has named as one person's: where they are several contacts',
-- those are merged. The one that has the phone stays, else the oldest.
create or replace function unite_contacts(
  p_agency text, p_tenant text, p_chat_ids text[], p_session text, p_network_id text)
returns text language plpgsql set enable_seqscan = off as $$
declare
  v_all text[];
  v_locked text[];
  v_from text;
begin
  loop
    select array_agg(k.contact_id order by k.has_phone desc, k.contact_id) into v_all
    from (select contact_id, bool_or(chat_id like '%@c.us') as has_phone from contact_alias
      where agency_id = p_agency and tenant_id = p_tenant and chat_id = any (p_chat_ids) group by contact_id) k;
    if cardinality(v_all) = 1 then return v_all[1]; end if;
    -- Somebody else may have merged them meanwhile: what is merged was read under the locks.
    exit when v_all = v_locked;
    perform lock_people(v_all, '{}');
    v_locked := v_all;
  end loop;
  foreach v_from in array v_all[2:] loop
    perform merge_contact(v_from, v_all[1], 'message', p_session, p_network_id, p_chat_ids);
  end loop;
  return v_all[1];
end
$$;

-- Makes two contacts one, in every session of the tenant. Both are locked (`lock_people`). The first stays as a row
-- without addresses whose chat id leads to the second, because its id has been told. Returns the entry of the ledger.
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
  insert into contact_merge (agency_id, tenant_id, from_contact_id, into_contact_id, cause, session_id, network_id,
    chat_ids, before)
  select v_agency, v_tenant, p_from, p_into, p_cause, p_session, p_network_id, p_chat_ids, jsonb_build_object(
    'contacts', (select jsonb_agg(to_jsonb(c) order by c.id) from contact c where c.id in (p_from, p_into)),
    'usage', (select jsonb_agg(to_jsonb(u) order by u.day) from ai_usage u
      where u.agency_id = v_agency and u.tenant_id = v_tenant and u.contact_id = p_from))
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
  -- What both say holds once, an entry before what was extracted; the other comes back where that goes.
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
  -- A second number is no second budget.
  with used as (
    delete from ai_usage where agency_id = v_agency and tenant_id = v_tenant and contact_id = p_from
    returning agency_id, tenant_id, day, replies, tokens, cost_micros
  )
  insert into ai_usage as u (agency_id, tenant_id, contact_id, day, replies, tokens, cost_micros)
  select agency_id, tenant_id, p_into, day, replies, tokens, cost_micros from used order by day
  on conflict (agency_id, tenant_id, contact_id, day) do update set replies = u.replies + excluded.replies,
    tokens = u.tokens + excluded.tokens, cost_micros = u.cost_micros + excluded.cost_micros;
  update ai_reservation set contact_id = p_into
  where agency_id = v_agency and tenant_id = v_tenant and contact_id = p_from;
  update contact o set name = coalesce(o.name, n.name), push_name = coalesce(o.push_name, n.push_name),
    chat_id = case when o.chat_id not like '%@c.us' and n.chat_id like '%@c.us' then n.chat_id else o.chat_id end
  from contact n where o.id = p_into and n.id = p_from;
  return v_merge;
end
$$;

-- A conversation as it is now, without what people said.
create or replace function ledger_of(c conversation) returns jsonb language sql stable as $$
  select to_jsonb(c) - 'last_message_body'
$$;

-- The conversation is another contact's from now on. Its messages follow with those that a merge leaves behind.
create or replace function give_conversation(p_merge bigint, p_conversation text, p_contact text)
returns void language plpgsql set enable_seqscan = off as $$
begin
  insert into merge_move (merge_id, kind, from_id, into_id, ids, before)
  select p_merge, 'conversation_contact', c.contact_id, p_contact, array[c.id], ledger_of(c)
  from conversation c where c.id = p_conversation;
  update conversation set contact_id = p_contact, unfinished_merge = p_merge where id = p_conversation;
  perform move_messages(p_conversation, 1000);
end
$$;

-- Moves everything of one conversation into another of its session. The first stays as an empty row that leads to the
-- second, because its id has been told. Both must be locked. What is on its way in both may go at the same time: nobody
-- was promised an order between two conversations. It comes before what waits, so that the queue goes on after both.
-- What is open, and the newest of the rest, moves at once; what is older follows (`move_messages`): nothing is decided
-- by it, and a long conversation would hold up everything else.
create or replace function merge_conversation(p_merge bigint, p_from text, p_into text)
returns void language plpgsql set enable_seqscan = off as $$
declare
  v_seq bigint;
  v_ahead bigint;
  v_epoch integer;
  v_untouched boolean;
  v_changes boolean;
  v_ended jsonb;
begin
  select last_seq into v_seq from conversation where id = p_into;
  select max(c.epoch) + 1, max(c.epoch) = 0, bool_or(c.mode = 'human_takeover') and bool_or(c.mode = 'bot_active')
  into v_epoch, v_untouched, v_changes from conversation c where c.id in (p_from, p_into);
  select max(m.chat_seq) + 1 - least((select min(q.chat_seq) from message q
    where q.conversation_id = p_into and q.status in ('queued', 'sending')), 1) into v_ahead
  from message m where m.conversation_id = p_from
    and (m.status = 'sending' or (m.status = 'queued' and m.released_at is not null));
  if not v_untouched then
    -- What was written for one of them may be older than a takeover of the other, which was answered without it. What
    -- the agent is at begins again: its messages are still owed, and the reconcile wakes it.
    with ended as (
      delete from ai_turn r where r.conversation_id in (p_from, p_into) and r.outcome = 'running'
      returning to_jsonb(r) as turn
    )
    select jsonb_agg(turn) into v_ended from ended;
  end if;
  insert into merge_move (merge_id, kind, from_id, into_id, ids, before)
  select p_merge, 'conversation', p_from, p_into, array[p_from], jsonb_build_object('from', ledger_of(f),
    'into', ledger_of(i), 'endedTurns', v_ended, 'places', (select jsonb_object_agg(m.id, m.chat_seq) from message m
      where m.conversation_id = p_from and m.status in ('queued', 'sending')))
  from conversation f, conversation i where f.id = p_from and i.id = p_into;
  if v_untouched then
    -- Nobody ever took either over, so what the agent is at and what it has written for either still holds.
    update ai_turn r set conversation_epoch = v_epoch
    where r.conversation_id in (p_from, p_into) and r.outcome = 'running';
    update message m set conversation_epoch = v_epoch
    where m.conversation_id in (p_from, p_into) and m.origin = 'ai' and m.status in ('queued', 'sending');
  end if;
  update message m set chat_seq = case when m.status = 'sending' or m.released_at is not null
    then m.chat_seq - v_ahead else m.chat_seq + v_seq end
  where m.conversation_id = p_from and m.status in ('queued', 'sending');
  -- A takeover of either holds, and then what the agent had written for the other no longer does.
  update conversation c set last_seq = c.last_seq + f.last_seq, unread_count = c.unread_count + f.unread_count,
    mode = case when f.mode = 'human_takeover' then f.mode else c.mode end, epoch = v_epoch,
    assigned_to = coalesce(c.assigned_to, f.assigned_to),
    assigned_reason = coalesce(c.assigned_reason, f.assigned_reason),
    taken_over_by = coalesce(c.taken_over_by, f.taken_over_by),
    human_active_at = greatest(c.human_active_at, f.human_active_at),
    return_at = case when f.mode = 'human_takeover' and c.mode = 'human_takeover'
      then greatest(c.return_at, f.return_at) else coalesce(c.return_at, f.return_at) end,
    name = coalesce(c.name, f.name), contacted = c.contacted or f.contacted,
    last_inbound_at = greatest(c.last_inbound_at, f.last_inbound_at),
    last_message_id = case when f.newer then f.last_message_id else c.last_message_id end,
    last_message_body = case when f.newer then f.last_message_body else c.last_message_body end,
    last_message_from_me = case when f.newer then f.last_message_from_me else c.last_message_from_me end,
    last_message_at = greatest(c.last_message_at, f.last_message_at)
  from (select a.*, coalesce(a.last_message_at > b.last_message_at, a.last_message_at is not null) as newer
    from conversation a, conversation b where a.id = p_from and b.id = p_into) f
  where c.id = p_into;
  with moved as (update handover set conversation_id = p_into where conversation_id = p_from returning id)
  insert into merge_move (merge_id, kind, from_id, into_id, ids)
  select p_merge, 'handover', p_from, p_into, array_agg(id::text) from moved having count(*) > 0;
  with moved as (
    update parked_own_message set conversation_id = p_into where conversation_id = p_from returning network_id
  )
  insert into merge_move (merge_id, kind, from_id, into_id, ids)
  select p_merge, 'parked_own_message', p_from, p_into, array_agg(network_id) from moved having count(*) > 0;
  if v_changes then
    insert into handover (conversation_id, at, cause, mode, epoch, assigned_to, reason, merged_from, is_untold)
    select c.id, now(), 'merge', c.mode, c.epoch, c.assigned_to, c.assigned_reason, p_from, true
    from conversation c where c.id = p_into;
  end if;
  -- Without a line it is in no list of chats.
  update conversation set contact_id = null, merged_into = p_into, last_message_id = null, last_message_body = null,
    last_message_from_me = null, last_message_at = null, last_inbound_at = null, unread_count = 0, return_at = null,
    unfinished_merge = p_merge
  where id = p_from;
  update conversation set merged_into = p_into where merged_into = p_from;
  perform move_messages(p_from, 1000);
end
$$;

-- What merges of a person have given to somebody, in any session, and nobody has been told yet: now it is. Null as a rule.
create or replace function take_merge_handovers(p_contact text)
returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  v_told jsonb;
begin
  with told as (
    update handover h set is_untold = false from conversation c
    where c.contact_id = p_contact and h.conversation_id = c.id and h.is_untold
    returning h.id, jsonb_build_object('agencyId', c.agency_id, 'tenantId', c.tenant_id, 'sessionId', c.session_id,
      'conversationId', c.id, 'mergedFrom', h.merged_from, 'contactId', c.contact_id, 'chatId', c.chat_id,
      'mode', h.mode, 'assignedTo', h.assigned_to, 'reason', h.reason, 'epoch', h.epoch,
      'returnAt', to_char(c.return_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as row
  )
  select jsonb_agg(row order by id) into v_told from told;
  return v_told;
end
$$;

-- Takes what is open, and so many of the newest messages and turns, from a conversation that was merged to the one that
-- it is now; in one that was given to another contact they become that contact's. Called again, under the lock of that
-- conversation, until it returns 0.
create or replace function move_messages(p_from text, p_limit integer)
returns integer language plpgsql set enable_seqscan = off as $$
declare
  v_merge bigint;
  v_into text;
  v_contact text;
  v_messages text[];
  v_turns text[];
begin
  select f.unfinished_merge, k.id, k.contact_id into v_merge, v_into, v_contact
  from conversation f join conversation k on k.id = coalesce(f.merged_into, f.id) where f.id = p_from;
  if v_merge is null then return 0; end if;
  with chosen as (
    select m.id from message m where m.conversation_id = p_from and m.status in ('queued', 'sending')
    union
    select m.id from message m where m.conversation_id = p_from and m.status in ('scheduled', 'uncertain')
    union
    select m.id from message m where m.conversation_id = p_from and m.awaits_turn
    union
    (select m.id from message m where m.conversation_id = p_from
      and (v_into <> p_from or m.contact_id is distinct from v_contact)
      order by m.occurred_at desc, m.id desc limit p_limit)
  ), moved as (
    update message m set conversation_id = v_into, contact_id = v_contact from chosen c
    where m.id = c.id and (v_into <> p_from or m.contact_id is distinct from v_contact) returning m.id
  )
  select array_agg(id) into v_messages from moved;
  if v_into <> p_from then
    with chosen as (
      select r.id from ai_turn r where r.conversation_id = p_from and r.outcome = 'running'
      union
      (select r.id from ai_turn r where r.conversation_id = p_from order by r.id desc limit p_limit)
    ), moved as (
      update ai_turn r set conversation_id = v_into from chosen c where r.id = c.id returning r.id
    )
    select array_agg(id) into v_turns from moved;
  end if;
  insert into merge_move (merge_id, kind, from_id, into_id, ids)
  select v_merge, t.kind, p_from, v_into, t.ids from (values ('message', v_messages), ('ai_turn', v_turns)) t(kind, ids)
  where t.ids is not null;
  if coalesce(cardinality(v_messages), 0) < p_limit and coalesce(cardinality(v_turns), 0) < p_limit then
    update conversation set unfinished_merge = null where id = p_from;
    return 0;
  end if;
  return coalesce(cardinality(v_messages), 0) + coalesce(cardinality(v_turns), 0);
end
$$;

-- The network knows the conversation's person under another number. It becomes an address of the contact; where it is
-- somebody's already, the two are one from now on, in every session of the tenant. Returns the conversation to send in.
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
    select coalesce(merged_into, id) into v_id from conversation where id = p_conversation;
    select agency_id, tenant_id, session_id, contact_id into c from conversation where id = v_id;
    if c.contact_id is null then return v_id; end if;
    insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
    values (c.agency_id, c.tenant_id, p_chat_id, c.contact_id) on conflict do nothing;
    select contact_id into v_other from contact_alias
    where agency_id = c.agency_id and tenant_id = c.tenant_id and chat_id = p_chat_id;
    -- The message that waits for this is in one of them.
    perform lock_people(array[c.contact_id, v_other],
      array(select v_id union select id from conversation where session_id = c.session_id and chat_id = p_chat_id));
    -- Somebody else may have merged them meanwhile.
    exit when exists (select 1 from conversation l where l.id = v_id and l.contact_id = c.contact_id)
      and exists (select 1 from contact_alias where agency_id = c.agency_id and tenant_id = c.tenant_id
        and chat_id = p_chat_id and contact_id = v_other);
  end loop;
  if v_other <> c.contact_id then
    v_merge := merge_contact(c.contact_id, v_other, 'number_check', c.session_id, null, array[p_chat_id]);
  end if;
  -- Dashboards may keep the contact's id: it leads to the same chat, and so to the same person.
  update contact set chat_id = p_chat_id where id in (c.contact_id, v_other);
  select coalesce(merged_into, id) into v_into from conversation where id = v_id;
  -- A conversation that has the chat id and another person, or none, was made before the addresses were known to be
  -- one's.
  for pair in
    select id, contact_id from conversation
    where session_id = c.session_id and chat_id = p_chat_id and id <> v_into and merged_into is null
  loop
    if v_merge is null then
      insert into contact_merge (agency_id, tenant_id, from_contact_id, into_contact_id, cause, session_id, chat_ids)
      values (c.agency_id, c.tenant_id, pair.contact_id, v_other, 'number_check', c.session_id, array[p_chat_id])
      returning id into v_merge;
    end if;
    perform merge_conversation(v_merge, v_into, pair.id);
    perform give_conversation(v_merge, pair.id, v_other);
    -- What was said there is now said by this person.
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
