-- Tells whether nobody has changed who has the conversation since the merge left it like that.
create or replace function in_same_hands(c conversation, a conversation) returns boolean language sql immutable as $$
  select (c.mode, c.epoch, c.assigned_to, c.assigned_reason, c.taken_over_by, c.human_active_at, c.return_at)
    is not distinct from
    (a.mode, a.epoch, a.assigned_to, a.assigned_reason, a.taken_over_by, a.human_active_at, a.return_at)
$$;

-- Makes two conversations of one again. Who had which holds again, unless somebody has changed that since the merge, or
-- a person was active: then it holds for both, because nobody knows which of the two was meant. The epochs only grow,
-- so that nothing that the agent began before gets past the fence. Answers the handovers that dashboards are told.
create or replace function part_conversation(p_step merge_move, g contact_merge, p_addresses text[], p_now timestamptz)
returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  f conversation := jsonb_populate_record(null::conversation, p_step.before->'from');
  i conversation := jsonb_populate_record(null::conversation, p_step.before->'into');
  a conversation := jsonb_populate_record(null::conversation, p_step.after);
  c conversation;
  v_came integer;
  v_has_stayed boolean;
  v_changed bigint[];
  v_told jsonb;
begin
  select * into c from conversation where id = p_step.into_id;
  -- Somebody has changed it, so what holds for the merged conversation holds for both.
  if not in_same_hands(c, a) then
    select c.mode, c.assigned_to, c.assigned_reason, c.taken_over_by, c.human_active_at, c.return_at
    into f.mode, f.assigned_to, f.assigned_reason, f.taken_over_by, f.human_active_at, f.return_at;
    select c.mode, c.assigned_to, c.assigned_reason, c.taken_over_by, c.human_active_at, c.return_at
    into i.mode, i.assigned_to, i.assigned_reason, i.taken_over_by, i.human_active_at, i.return_at;
  end if;
  update message m set conversation_id = f.id, contact_id = f.contact_id
  where m.conversation_id = c.id and m.chat_id = any (p_addresses);
  get diagnostics v_came = row_count;
  select exists (select 1 from message m where m.conversation_id = c.id
    and m.id = any (array(select jsonb_array_elements_text(p_step.before->'waiting')))) into v_has_stayed;
  update message m set conversation_epoch = c.epoch + 1
  where m.conversation_id in (f.id, c.id) and m.origin = 'ai' and m.status in ('queued', 'sending')
    and m.conversation_epoch = c.epoch and c.mode = 'bot_active' and p_step.before->'agents' ? m.id;
  update parked_own_message o set conversation_id = f.id
  where o.conversation_id = c.id and (o.message->>'chatId' = any (p_addresses)
    or o.network_id in (select unnest(v.ids) from merge_move v where v.merge_id = g.id
      and v.kind = 'parked_own_message' and v.from_id = f.id));
  update handover h set conversation_id = f.id
  where h.conversation_id = c.id and h.id in (select unnest(v.ids)::bigint from merge_move v where v.merge_id = g.id
    and v.kind = 'handover' and v.from_id = f.id);
  update conversation set merged_into = f.id
  where merged_into = c.id and id in (select unnest(v.ids) from merge_move v where v.merge_id = g.id
    and v.kind = 'conversation_lead' and v.from_id = f.id);

  update conversation k set contact_id = f.contact_id, merged_into = null, unfinished_merge = null,
    epoch = c.epoch + 1, mode = f.mode, assigned_to = f.assigned_to, assigned_reason = f.assigned_reason,
    taken_over_by = f.taken_over_by, human_active_at = f.human_active_at, return_at = f.return_at,
    unread_count = f.unread_count, last_inbound_at = f.last_inbound_at, last_message_id = f.last_message_id,
    last_message_from_me = f.last_message_from_me, last_message_at = f.last_message_at,
    -- The text may have been changed since.
    last_message_body = (select line_of(m) from message m where m.id = f.last_message_id),
    -- A scheduled message may have got a place in the queue since.
    last_seq = greatest(k.last_seq, (select max(q.chat_seq) from message q
      where q.conversation_id = f.id and q.status in ('queued', 'sending')))
  where k.id = f.id;
  update conversation k set epoch = c.epoch + 1, mode = i.mode, assigned_to = i.assigned_to,
    assigned_reason = i.assigned_reason, taken_over_by = i.taken_over_by, human_active_at = i.human_active_at,
    return_at = i.return_at, name = case when c.name is not distinct from a.name then i.name else c.name end,
    contacted = i.contacted or c.last_message_id is distinct from a.last_message_id,
    read_up_to = case when c.read_up_to is distinct from a.read_up_to then c.read_up_to else i.read_up_to end,
    -- The place behind what still waits, so that the order of the queue stays.
    last_seq = case when c.last_seq = a.last_seq then greatest(i.last_seq, (select max(q.chat_seq) from message q
      where q.conversation_id = c.id and q.status in ('queued', 'sending'))) else c.last_seq end,
    chat_id = case when c.chat_id = any (p_addresses) and not exists (select 1 from conversation o
      where o.session_id = c.session_id and o.chat_id = i.chat_id) then i.chat_id else c.chat_id end
  where k.id = c.id;
  if c.last_message_id is not distinct from a.last_message_id and not v_has_stayed then
    update conversation k set last_message_id = i.last_message_id, last_message_from_me = i.last_message_from_me,
      last_message_at = i.last_message_at, last_inbound_at = i.last_inbound_at,
      last_message_body = case when i.last_message_id is not distinct from c.last_message_id then c.last_message_body
        else (select line_of(m) from message m where m.id = i.last_message_id) end
    where k.id = c.id;
  else
    perform show_newest(c.id);
  end if;
  if v_came > 0 or v_has_stayed then perform show_newest(f.id); end if;
  if (c.unread_count, c.last_message_id) is not distinct from (a.unread_count, a.last_message_id) then
    update conversation set unread_count = i.unread_count where id = c.id;
  else
    perform part_unread(f.id, c.id, c.unread_count);
  end if;

  with changed as (
    insert into handover (conversation_id, at, cause, mode, epoch, assigned_to, reason, merged_from)
    select k.id, p_now, 'unmerge', k.mode, k.epoch, k.assigned_to, k.assigned_reason, null
    from conversation k where k.id in (f.id, c.id)
      and (k.mode, k.assigned_to, k.assigned_reason) is distinct from (c.mode, c.assigned_to, c.assigned_reason)
    order by k.id returning id
  )
  select array_agg(id) into v_changed from changed;
  select coalesce(jsonb_agg(handed_over(k, h) order by h.id), '[]') into v_told
  from handover h join conversation k on k.id = h.conversation_id where h.id = any (v_changed);
  return v_told;
end
$$;

-- Gives a conversation that was given to another contact back. What came since under an address of that other contact,
-- or was sent to it, gets a conversation of its own with that contact, which has the id `p_new_id`.
create or replace function take_conversation_back(p_step merge_move, p_addresses text[], p_new_id text)
returns void language plpgsql set enable_seqscan = off as $$
declare
  b conversation := jsonb_populate_record(null::conversation, p_step.before);
  c conversation;
  v_others text[];
  v_chat_id text;
begin
  select * into c from conversation where id = b.id;
  -- A message without an address of its own has that of the conversation, which may have become the other contact's
  -- with the merge. What was there before is in the ledger.
  select array_agg(m.id), min(coalesce(m.chat_id, c.chat_id)) into v_others, v_chat_id from message m
  where m.conversation_id = b.id and m.contact_id = p_step.into_id
    and coalesce(m.chat_id, case when c.chat_id <> b.chat_id and (m.direction = 'in' or was_sent(m.status))
      then c.chat_id end) <> all (p_addresses)
    and m.id not in (select unnest(v.ids) from merge_move v where v.merge_id = p_step.merge_id and v.kind = 'message');
  -- What the agent began since may be for the other person. What waited before stays valid.
  update message m set conversation_epoch = c.epoch + 1
  where m.conversation_id = b.id and m.origin = 'ai' and m.status in ('queued', 'sending')
    and m.conversation_epoch = c.epoch and c.mode = 'bot_active' and m.id in (
      select unnest(v.ids) from merge_move v where v.merge_id = p_step.merge_id and v.kind = 'message');
  update conversation set contact_id = b.contact_id, unfinished_merge = null, epoch = c.epoch + 1 where id = b.id;
  update conversation k set chat_id = b.chat_id
  where k.id = b.id and k.chat_id <> b.chat_id and not exists (select 1 from conversation o
    where o.session_id = k.session_id and o.chat_id = b.chat_id);
  update message m set contact_id = b.contact_id
  where m.conversation_id = b.id and m.contact_id = p_step.into_id and (v_others is null or m.id <> all (v_others))
    and m.id not in (select unnest(v.ids) from merge_move v where v.merge_id = p_step.merge_id and v.kind = 'message');
  if v_others is null then return; end if;
  insert into conversation (id, agency_id, tenant_id, session_id, chat_id, contact_id, mode, epoch, assigned_to,
    assigned_reason, taken_over_by, human_active_at, return_at, contacted)
  values (p_new_id, c.agency_id, c.tenant_id, c.session_id, v_chat_id, p_step.into_id, c.mode, c.epoch + 1,
    c.assigned_to, c.assigned_reason, c.taken_over_by, c.human_active_at, c.return_at, true);
  update message set conversation_id = p_new_id where id = any (v_others);
  perform show_newest(p_new_id);
  perform show_newest(b.id);
  perform part_unread(p_new_id, b.id, c.unread_count);
end
$$;

-- The line of a message in the chat list; of one that was taken back it shows nothing.
create or replace function line_of(m message) returns text language sql stable as $$
  select case when m.revoked_at is null then left(m.body, 500) else '' end
$$;

-- Shows the newest message of a conversation in the chat list, after others have left it or come to it.
create or replace function show_newest(p_conversation text)
returns void language plpgsql set enable_seqscan = off as $$
begin
  update conversation c set last_message_id = n.id, last_message_body = n.line,
    last_message_from_me = n.direction = 'out', last_message_at = n.occurred_at,
    last_inbound_at = (select max(m.occurred_at) from message m
      where m.conversation_id = p_conversation and m.direction = 'in' and not is_notice(m.content))
  from (select 1) one left join lateral (
    select m.id, line_of(m) as line, m.direction, m.occurred_at
    from message m
    where m.conversation_id = p_conversation and m.status <> 'scheduled' and m.content->'notice' is null
    order by m.occurred_at desc, m.id desc limit 1) n on true
  where c.id = p_conversation;
end
$$;

-- Parts what nobody has read between two conversations that were one: it is the newest that came in.
create or replace function part_unread(p_one text, p_other text, p_unread integer)
returns void language plpgsql set enable_seqscan = off as $$
begin
  update conversation c set unread_count = (select count(*) from (
      select m.conversation_id from message m
      where m.conversation_id in (p_one, p_other) and m.direction = 'in' and not is_notice(m.content)
      order by m.occurred_at desc, m.id desc limit p_unread) u where u.conversation_id = c.id)
  where c.id in (p_one, p_other);
end
$$;
