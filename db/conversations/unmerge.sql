-- Undoes a merge of two contacts by its ledger: contacts, addresses, memories, the agent's usage and every conversation
-- are as they were. What came after the merge stays with whom its own address says. Answers null when the merge is no
-- longer there to be undone. The old messages of long conversations follow later (`move_back`). `p_new_ids` are ids for
-- conversations that have to be made: one for each conversation that the merge gave to the other contact.
create or replace function unmerge_contact(p_merge bigint, p_new_ids text[], p_now timestamptz)
returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  g contact_merge;
  step merge_move;
  v_addresses text[];
  v_handovers jsonb := '[]';
begin
  select * into g from contact_merge where id = p_merge;
  perform lock_people(array_remove(array[g.from_contact_id, g.into_contact_id], null), parted_conversations(p_merge));
  -- A request that has undone the merge meanwhile, or a later merge, is seen only by a new statement under the locks.
  select * into g from contact_merge where id = p_merge and undone_at is null for update;
  if not found or merged_on(g) is not null then return null; end if;
  perform finish_undoing(array[g.from_contact_id, g.into_contact_id]);
  with moved as (
    update contact_alias a set contact_id = v.from_id from merge_move v
    where v.merge_id = p_merge and v.kind = 'contact_alias' and a.agency_id = g.agency_id and a.tenant_id = g.tenant_id
      and a.chat_id = any (v.ids) and a.contact_id = v.into_id returning a.chat_id
  )
  select coalesce(array_agg(chat_id), '{}') into v_addresses from moved;
  update contact_merge set undone_at = p_now, is_untold = false, apart_from = v_addresses,
    apart_into = array(select chat_id from contact_alias where contact_id = g.into_contact_id)
  where id = p_merge;
  -- The agent's running turns know of both people, so they begin again: their messages are still owed.
  delete from ai_turn where conversation_id = any (parted_conversations(p_merge)) and outcome = 'running';
  update contact_merge set undo_unfinished = move_back(p_merge, true) where id = p_merge;
  for step in
    select * from merge_move where merge_id = p_merge and kind in ('conversation', 'conversation_contact')
    order by id desc
  loop
    if step.kind = 'conversation' then
      v_handovers := v_handovers || part_conversation(step, g, v_addresses, p_now);
    else
      perform take_conversation_back(step, v_addresses, p_new_ids[1]);
      p_new_ids := p_new_ids[2:];
    end if;
  end loop;
  perform part_contacts(g, v_addresses);
  return jsonb_build_object('handovers', v_handovers, 'conversations', merged_conversations(p_merge));
end
$$;

-- Lists the conversations that a merge has touched.
create or replace function parted_conversations(p_merge bigint) returns text[] language sql stable as $$
  select array(
    select from_id from merge_move where merge_id = p_merge and kind = 'conversation'
    union select into_id from merge_move where merge_id = p_merge and kind = 'conversation'
    union select unnest(ids) from merge_move where merge_id = p_merge and kind in
      ('conversation_contact', 'conversation_lead'))
$$;

-- Answers the contact that the merged contact was merged into since; that later merge has to be undone first. Null when
-- there is none.
create or replace function merged_on(g contact_merge) returns text language sql stable as $$
  select l.into_contact_id from contact_merge l
  where l.id > g.id and l.undone_at is null and l.agency_id = g.agency_id and l.tenant_id = g.tenant_id
    and (l.from_contact_id = g.into_contact_id or (l.into_contact_id = g.into_contact_id
      and exists (select 1 from merge_move v join merge_move o on o.merge_id = g.id and v.from_id = case o.kind
        when 'conversation' then o.into_id when 'conversation_contact' then o.ids[1] end
        where v.merge_id = l.id and v.kind = 'conversation')))
  order by l.id limit 1
$$;

-- Moves messages and turns of a merge back, of each conversation those that one transaction has moved: first the open
-- and the newest ones, then the older. A message that waited at the merge and went out since was said to the other
-- person, so it stays. Answers whether any step is left.
create or replace function move_back(p_merge bigint, p_first boolean)
returns boolean language plpgsql set enable_seqscan = off as $$
declare
  step merge_move;
begin
  for step in
    select v.* from merge_move v
    where v.merge_id = p_merge and v.kind in ('message', 'ai_turn') and v.undone_at is null
      -- Later steps of a conversation are those of its older messages.
      and (not p_first or not exists (select 1 from merge_move e
        where e.merge_id = p_merge and e.kind = v.kind and e.from_id = v.from_id and e.id < v.id))
    order by v.id limit (case when p_first then null else 2 end)
  loop
    if step.kind = 'message' then
      update message m set conversation_id = step.from_id, contact_id = f.contact_id,
        chat_seq = coalesce((f.before->'places'->>m.id)::bigint, m.chat_seq)
      from (select g.from_contact_id as contact_id, v.before from contact_merge g left join merge_move v
        on v.merge_id = g.id and v.kind = 'conversation' and v.from_id = step.from_id where g.id = p_merge) f
      where m.id = any (step.ids) and m.conversation_id = step.into_id
        and not (coalesce(f.before->'waiting' ? m.id, false) and (m.status in ('sending', 'uncertain')
          or was_sent(m.status)));
    else
      update ai_turn r set conversation_id = step.from_id
      where r.id = any (step.ids) and r.conversation_id = step.into_id;
    end if;
    update merge_move set undone_at = clock_timestamp() where id = step.id;
  end loop;
  return exists (select 1 from merge_move v
    where v.merge_id = p_merge and v.kind in ('message', 'ai_turn') and v.undone_at is null);
end
$$;

-- Moves back at once what merges of these contacts that were undone have left behind, because what is merged or taken
-- apart next would otherwise carry messages of one person on with those of the other.
create or replace function finish_undoing(p_contacts text[])
returns void language plpgsql set enable_seqscan = off as $$
declare
  v_merge bigint;
begin
  for v_merge in
    select g.id from contact_merge g
    where g.undo_unfinished and (g.from_contact_id = any (p_contacts) or g.into_contact_id = any (p_contacts))
    order by g.id desc
  loop
    perform lock_people('{}', parted_conversations(v_merge));
    while move_back(v_merge, false) loop end loop;
    update contact_merge set undo_unfinished = false where id = v_merge;
  end loop;
end
$$;

-- Gives back who has opted out. Nobody knows which of the two has said so since the merge: then it holds for both, as
-- silence is safer than a message to somebody who has asked for none. For the same reason a word since, that they want
-- messages again, leaves each as they were before. `b` and `a` are the contact that stays before the merge and after
-- it.
create or replace function part_opt_outs(g contact_merge, b contact, a contact)
returns void language plpgsql set enable_seqscan = off as $$
declare
  k contact;
begin
  select * into k from contact where id = g.into_contact_id;
  if k.opted_out_at is not null
    and (k.opted_out_at, k.opted_out_by) is distinct from (a.opted_out_at, a.opted_out_by) then
    update contact set opted_out_at = k.opted_out_at, opted_out_by = k.opted_out_by where id = g.from_contact_id;
    return;
  end if;
  -- The row of the contact that went has kept its own.
  update contact set opted_out_at = b.opted_out_at, opted_out_by = b.opted_out_by where id = g.into_contact_id;
end
$$;

-- Makes two contacts of one again. A name that was changed since the merge stays.
create or replace function part_contacts(g contact_merge, p_addresses text[])
returns void language plpgsql set enable_seqscan = off as $$
declare
  a contact := jsonb_populate_record(null::contact, g.after);
  b contact;
begin
  update memory m set contact_id = v.from_id from merge_move v
  where v.merge_id = g.id and v.kind = 'memory' and m.id = any (v.ids) and m.contact_id = v.into_id;
  update memory m set superseded_by = null from merge_move v
  where v.merge_id = g.id and v.kind = 'memory_superseded' and m.id = any (v.ids) and m.superseded_by is not null;
  if g.from_contact_id is null then return; end if;
  -- What was learned since goes with the message that it rests on.
  update memory m set contact_id = g.from_contact_id from message e
  where m.contact_id = g.into_contact_id and e.id = m.evidence_message_id and e.contact_id = g.from_contact_id;
  update ai_reservation r set contact_id = v.from_id from merge_move v
  where v.merge_id = g.id and v.kind = 'ai_reservation' and r.id = any (v.ids) and r.contact_id = v.into_id;
  with used as (
    select u.* from jsonb_populate_recordset(null::ai_usage, nullif(g.before->'usage', 'null')) u
  ), given_back as (
    update ai_usage t set replies = greatest(t.replies - u.replies, 0), tokens = greatest(t.tokens - u.tokens, 0),
      cost_micros = greatest(t.cost_micros - u.cost_micros, 0)
    from used u where t.agency_id = g.agency_id and t.tenant_id = g.tenant_id and t.contact_id = g.into_contact_id
      and t.day = u.day
    returning t.day
  )
  insert into ai_usage (agency_id, tenant_id, contact_id, day, replies, tokens, cost_micros)
  select u.agency_id, u.tenant_id, u.contact_id, u.day, u.replies, u.tokens, u.cost_micros
  from used u join given_back t on t.day = u.day
  on conflict (agency_id, tenant_id, contact_id, day) do nothing;
  delete from ai_usage t where t.agency_id = g.agency_id and t.tenant_id = g.tenant_id
    and t.contact_id = g.into_contact_id and (t.replies, t.tokens, t.cost_micros) = (0, 0, 0)
    and not coalesce(g.before->'usageDays' ? t.day::text, true);
  -- What the accounts say of the contact that stayed is as it was, where no account has said anything else since.
  with listed as (
    select f.session_id, w.session_id is not null as was_listed, w.is_my_contact, w.is_blocked, w.decided_at
    from session_contact f left join jsonb_populate_recordset(null::session_contact,
      nullif(g.before->'listed', 'null')) w on w.session_id = f.session_id
    join session_contact s on s.session_id = f.session_id and s.contact_id = g.into_contact_id
    where f.contact_id = g.from_contact_id and g.before ? 'listed'
      and (s.is_my_contact, s.is_blocked, s.decided_at) is not distinct from
        (f.is_my_contact or coalesce(w.is_my_contact, false), f.is_blocked or coalesce(w.is_blocked, false),
          greatest(f.decided_at, w.decided_at))
  ), unlisted as (
    delete from session_contact s using listed l
    where s.session_id = l.session_id and s.contact_id = g.into_contact_id and not l.was_listed
  )
  update session_contact s set is_my_contact = l.is_my_contact, is_blocked = l.is_blocked, decided_at = l.decided_at
  from listed l where s.session_id = l.session_id and s.contact_id = g.into_contact_id and l.was_listed;
  select * into b from jsonb_populate_recordset(null::contact, nullif(g.before->'contacts', 'null')) r
  where r.id = g.into_contact_id;
  if b.id is not null then
    update contact k set name = case when k.name is not distinct from a.name then b.name else k.name end,
      push_name = case when k.push_name is not distinct from a.push_name then b.push_name else k.push_name end,
      chat_id = case when k.chat_id = any (p_addresses) or k.chat_id = a.chat_id then b.chat_id else k.chat_id end,
      ask_phone_at = b.ask_phone_at
    where k.id = b.id;
    perform part_opt_outs(g, b, a);
  end if;
  select * into b from jsonb_populate_recordset(null::contact, nullif(g.before->'contacts', 'null')) r
  where r.id = g.from_contact_id;
  if b.id is not null then
    update contact k set chat_id = b.chat_id, phone_asked_at = b.phone_asked_at, phone_asks = coalesce(b.phone_asks, 0),
      ask_phone_at = b.ask_phone_at
    where k.id = b.id;
  end if;
end
$$;
