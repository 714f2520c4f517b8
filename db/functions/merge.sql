-- Moves everything of one conversation into another of its session. The first stays as an empty row that leads to the
-- second, because its id has been told. Both must be locked. What is on its way in both may go at the same time: nobody was
-- promised an order between two conversations. It comes before what waits, so that the queue goes on after both.
create or replace function merge_conversation(p_from text, p_into text)
returns void language plpgsql set enable_seqscan = off as $$
declare
  v_seq bigint;
  v_ahead bigint;
  v_epoch integer;
  v_untouched boolean;
  v_changes boolean;
begin
  select last_seq into v_seq from conversation where id = p_into;
  select max(c.epoch) + 1, max(c.epoch) = 0, bool_or(c.mode = 'human_takeover') and bool_or(c.mode = 'bot_active')
  into v_epoch, v_untouched, v_changes from conversation c where c.id in (p_from, p_into);
  if v_untouched then
    -- Nobody ever took either over, so what the agent is at and what it has written for either still holds.
    update ai_turn r set conversation_epoch = v_epoch where r.conversation_id in (p_from, p_into) and r.outcome = 'running';
    update message m set conversation_epoch = v_epoch
    where m.conversation_id in (p_from, p_into) and m.origin = 'ai' and m.status in ('queued', 'sending');
  else
    -- What was written for one of them may be older than a takeover of the other, which was answered without it. What the
    -- agent is at begins again: its messages are still owed, and the reconcile wakes it.
    delete from ai_turn r where r.conversation_id in (p_from, p_into) and r.outcome = 'running';
  end if;
  select max(m.chat_seq) + 1 - least((select min(q.chat_seq) from message q where q.conversation_id = p_into), 1) into v_ahead
  from message m where m.conversation_id = p_from and (m.status = 'sending' or (m.status = 'queued' and m.released_at is not null));
  update message m set conversation_id = p_into, contact_id = (select contact_id from conversation where id = p_into),
    chat_seq = case when m.status = 'sending' or (m.status = 'queued' and m.released_at is not null)
      then m.chat_seq - v_ahead else m.chat_seq + v_seq end
  where m.conversation_id = p_from;
  update ai_turn set conversation_id = p_into where conversation_id = p_from;
  update handover set conversation_id = p_into where conversation_id = p_from;
  update parked_own_message set conversation_id = p_into where conversation_id = p_from;
  -- A takeover of either holds, and then what the agent had written for the other no longer does.
  update conversation c set last_seq = c.last_seq + f.last_seq, unread_count = c.unread_count + f.unread_count,
    mode = case when f.mode = 'human_takeover' then f.mode else c.mode end, epoch = v_epoch,
    assigned_to = coalesce(c.assigned_to, f.assigned_to), assigned_reason = coalesce(c.assigned_reason, f.assigned_reason),
    taken_over_by = coalesce(c.taken_over_by, f.taken_over_by), human_active_at = greatest(c.human_active_at, f.human_active_at),
    return_at = case when f.mode = 'human_takeover' and c.mode = 'human_takeover' then greatest(c.return_at, f.return_at)
      else coalesce(c.return_at, f.return_at) end, name = coalesce(c.name, f.name), contacted = c.contacted or f.contacted,
    last_inbound_at = greatest(c.last_inbound_at, f.last_inbound_at),
    last_message_id = case when f.newer then f.last_message_id else c.last_message_id end,
    last_message_body = case when f.newer then f.last_message_body else c.last_message_body end,
    last_message_from_me = case when f.newer then f.last_message_from_me else c.last_message_from_me end,
    last_message_at = greatest(c.last_message_at, f.last_message_at)
  from (select a.*, coalesce(a.last_message_at > b.last_message_at, a.last_message_at is not null) as newer
    from conversation a, conversation b where a.id = p_from and b.id = p_into) f
  where c.id = p_into;
  if v_changes then
    insert into handover (conversation_id, at, cause, mode, epoch, assigned_to, reason)
    select c.id, now(), 'merge', c.mode, c.epoch, c.assigned_to, c.assigned_reason from conversation c where c.id = p_into;
  end if;
  -- Without a line it is in no list of chats.
  update conversation set contact_id = null, merged_into = p_into, last_message_id = null, last_message_body = null,
    last_message_from_me = null, last_message_at = null, last_inbound_at = null, unread_count = 0, return_at = null
  where id = p_from;
  update conversation set merged_into = p_into where merged_into = p_from;
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
    -- In one order in all transactions. The message that waits for this is in one of them.
    perform 1 from conversation l
    where l.contact_id in (c.contact_id, v_other) or l.id = v_id or (l.session_id = c.session_id and l.chat_id = p_chat_id)
    order by l.id for update;
    -- Somebody else may have merged them meanwhile.
    exit when exists (select 1 from conversation l where l.id = v_id and l.contact_id = c.contact_id)
      and exists (select 1 from contact_alias where agency_id = c.agency_id and tenant_id = c.tenant_id
        and chat_id = p_chat_id and contact_id = v_other);
  end loop;
  if v_other <> c.contact_id then
    for pair in
      select a.id as from_id, b.id as into_id from conversation a left join conversation b
        on b.session_id = a.session_id and b.contact_id = v_other
      where a.contact_id = c.contact_id order by a.id
    loop
      if pair.into_id is null then
        update conversation set contact_id = v_other where id = pair.from_id;
        update message set contact_id = v_other where conversation_id = pair.from_id;
      else
        perform merge_conversation(pair.from_id, pair.into_id);
      end if;
    end loop;
    update contact_alias set contact_id = v_other where contact_id = c.contact_id;
    update memory set contact_id = v_other where contact_id = c.contact_id;
    -- What both say holds once, an entry before what was extracted; the other comes back where that goes.
    update memory d set superseded_by = k.id
    from (select id, first_value(id) over (partition by agency_id, tenant_id, fact_key order by source = 'ai_extracted', id) as kept
      from memory where contact_id = v_other and superseded_by is null and (expires_at is null or expires_at > clock_timestamp())) s
    join memory k on k.id = s.kept
    where d.id = s.id and s.id <> s.kept;
    -- A second number is no second budget.
    with used as (
      delete from ai_usage where agency_id = c.agency_id and tenant_id = c.tenant_id and contact_id = c.contact_id
      returning agency_id, tenant_id, day, replies, tokens, cost_micros
    )
    insert into ai_usage as u (agency_id, tenant_id, contact_id, day, replies, tokens, cost_micros)
    select agency_id, tenant_id, v_other, day, replies, tokens, cost_micros from used order by day
    on conflict (agency_id, tenant_id, contact_id, day) do update set replies = u.replies + excluded.replies,
      tokens = u.tokens + excluded.tokens, cost_micros = u.cost_micros + excluded.cost_micros;
    update ai_reservation set contact_id = v_other
    where agency_id = c.agency_id and tenant_id = c.tenant_id and contact_id = c.contact_id;
    update contact o set name = coalesce(o.name, n.name), push_name = coalesce(o.push_name, n.push_name)
    from contact n where o.id = v_other and n.id = c.contact_id;
  end if;
  -- Dashboards may keep the contact's id: it leads to the same chat, and so to the same person.
  update contact set chat_id = p_chat_id where id in (c.contact_id, v_other);
  select coalesce(merged_into, id) into v_into from conversation where id = v_id;
  -- A conversation that has the chat id and another person, or none, was made before the addresses were known to be one's.
  for pair in
    select id from conversation where session_id = c.session_id and chat_id = p_chat_id and id <> v_into and merged_into is null
  loop
    perform merge_conversation(v_into, pair.id);
    update conversation set contact_id = v_other where id = pair.id;
    update message set contact_id = v_other where conversation_id = pair.id;
    -- What was said there is now said by this person.
    update memory m set contact_id = v_other from message e
    where e.id = m.evidence_message_id and e.conversation_id = pair.id and m.contact_id <> v_other;
    v_into := pair.id;
  end loop;
  update conversation k set chat_id = p_chat_id where k.id = v_into and k.chat_id <> p_chat_id
    and not exists (select 1 from conversation o where o.session_id = k.session_id and o.chat_id = p_chat_id);
  return v_into;
end
$$;
