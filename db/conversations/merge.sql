-- Answers a conversation's row for the ledger of merges, without the text of its last message.
create or replace function ledger_of(c conversation) returns jsonb language sql stable as $$
  select to_jsonb(c) - 'last_message_body'
$$;

-- True for a conversation that a person has, and not one that the agent has only left to people.
create or replace function is_of_person(c conversation) returns boolean language sql immutable as $$
  select c.mode = 'human_takeover' and c.taken_over_by is distinct from 'agent'
$$;

-- Answers what the event about a handover needs.
create or replace function handed_over(c conversation, h handover) returns jsonb language sql stable as $$
  select jsonb_build_object('agencyId', c.agency_id, 'tenantId', c.tenant_id, 'sessionId', c.session_id,
    'conversationId', c.id, 'mergedFrom', h.merged_from, 'contactId', c.contact_id, 'chatId', c.chat_id,
    'mode', h.mode, 'cause', h.cause, 'assignedTo', h.assigned_to, 'reason', h.reason, 'epoch', h.epoch,
    'returnAt', to_char(c.return_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

-- Answers the conversations that a merge has made one, or has given to another contact (`mergedFrom` is null then).
create or replace function merged_conversations(p_merge bigint) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('conversationId', c.id, 'sessionId', c.session_id,
    'mergedFrom', case when v.kind = 'conversation' then v.from_id end) order by v.id), '[]')
  from merge_move v join conversation c on c.id = case when v.kind = 'conversation' then v.into_id else v.ids[1] end
  where v.merge_id = p_merge and v.kind in ('conversation', 'conversation_contact')
$$;

-- Gives the conversation to another contact. Its messages follow, together with those that a merge leaves behind.
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

-- Moves everything of one conversation into another of its session. Both must be locked. The first conversation stays
-- as an empty row that leads to the second, because dashboards know its id. Messages on their way in both may go at the
-- same time, because no order between two conversations was promised. They come before the waiting messages, so the
-- queue goes on after both have ended. Open messages and the newest of the others move at once. Older messages follow
-- later (`move_messages`): nothing is decided by them, and moving a long conversation at once would hold up everything
-- else.
create or replace function merge_conversation(p_merge bigint, p_from text, p_into text)
returns void language plpgsql set enable_seqscan = off as $$
declare
  v_seq bigint;
  v_ahead bigint;
  v_epoch integer;
  v_untouched boolean;
  v_changes boolean;
  v_ended jsonb;
  v_move bigint;
begin
  select last_seq into v_seq from conversation where id = p_into;
  select max(c.epoch) + 1, max(c.epoch) = 0, bool_or(c.mode = 'human_takeover') and bool_or(c.mode = 'bot_active')
  into v_epoch, v_untouched, v_changes from conversation c where c.id in (p_from, p_into);
  select max(m.chat_seq) + 1 - least((select min(q.chat_seq) from message q
    where q.conversation_id = p_into and q.status in ('queued', 'sending')), 1) into v_ahead
  from message m where m.conversation_id = p_from
    and (m.status = 'sending' or (m.status = 'queued' and m.released_at is not null));
  if not v_untouched then
    -- An AI message for one conversation may be older than a takeover of the other, whose answer did not count it. The
    -- agent's running turns begin again: their messages are still owed, and the reconcile wakes the agent.
    with ended as (
      delete from ai_turn r where r.conversation_id in (p_from, p_into) and r.outcome = 'running'
      returning to_jsonb(r) as turn
    )
    select jsonb_agg(turn) into v_ended from ended;
  end if;
  insert into merge_move (merge_id, kind, from_id, into_id, ids, before)
  select p_merge, 'conversation', p_from, p_into, array[p_from], jsonb_build_object('from', ledger_of(f),
    'into', ledger_of(i), 'endedTurns', v_ended, 'places', (select jsonb_object_agg(m.id, m.chat_seq) from message m
      where m.conversation_id = p_from and m.status in ('queued', 'sending')),
    'waiting', array(select m.id from message m where m.conversation_id = p_from and m.status = 'queued'
      union all select m.id from message m where m.conversation_id = p_from and m.status = 'scheduled'),
    'agents', array(select m.id from message m where m.conversation_id in (p_from, p_into) and m.origin = 'ai'
      and m.status in ('queued', 'sending')))
  from conversation f, conversation i where f.id = p_from and i.id = p_into
  returning id into v_move;
  if v_untouched then
    -- Neither conversation was ever taken over, so the agent's running turns and its messages for both stay valid.
    update ai_turn r set conversation_epoch = v_epoch
    where r.conversation_id in (p_from, p_into) and r.outcome = 'running';
    update message m set conversation_epoch = v_epoch
    where m.conversation_id in (p_from, p_into) and m.origin = 'ai' and m.status in ('queued', 'sending');
  end if;
  if v_changes then
    -- The runs of automations in the conversation that no person had say nothing from now on, also after a release.
    update automation_execution e set taken_over_at = now(), conversation_epoch = null
    where e.status = 'running' and e.taken_over_at is null and e.conversation_id in (
      select own.id from conversation b cross join ids_of_conversation(b.id) as own(id)
      where b.id in (p_from, p_into) and b.mode = 'bot_active');
    -- A run that has given the other one to a person may still give it back: a merge is no act of a person.
    with held as (
      update automation_execution e set conversation_epoch = v_epoch
      from conversation b cross join ids_of_conversation(b.id) as own(id)
      where b.id in (p_from, p_into) and b.mode = 'human_takeover' and e.conversation_id = own.id
        and e.status = 'running' and e.conversation_epoch = b.epoch
      returning e.id
    )
    update message m set conversation_epoch = v_epoch from held
    where m.conversation_id in (p_from, p_into) and m.execution_id = held.id and m.status = 'queued'
      and m.conversation_epoch is not null;
  end if;
  update message m set chat_seq = case when m.status = 'sending' or m.released_at is not null
    then m.chat_seq - v_ahead else m.chat_seq + v_seq end
  where m.conversation_id = p_from and m.status in ('queued', 'sending');
  -- A takeover of either conversation holds for both; AI messages for the other are then no longer valid.
  update conversation c set last_seq = c.last_seq + f.last_seq, unread_count = c.unread_count + f.unread_count,
    mode = case when f.mode = 'human_takeover' then f.mode else c.mode end, epoch = v_epoch,
    assigned_to = coalesce(c.assigned_to, f.assigned_to),
    -- A person's side wins over one that the agent has left, or the agent could take back what the person has.
    assigned_reason = case when is_of_person(c) = f.is_persons then coalesce(c.assigned_reason, f.assigned_reason)
      when f.is_persons then f.assigned_reason else c.assigned_reason end,
    taken_over_by = case when is_of_person(c) = f.is_persons then coalesce(c.taken_over_by, f.taken_over_by)
      when f.is_persons then f.taken_over_by else c.taken_over_by end,
    human_active_at = greatest(c.human_active_at, f.human_active_at),
    return_at = case when f.mode = 'human_takeover' and c.mode = 'human_takeover'
      then greatest(c.return_at, f.return_at) else coalesce(c.return_at, f.return_at) end,
    name = coalesce(c.name, f.name), contacted = c.contacted or f.contacted,
    last_inbound_at = greatest(c.last_inbound_at, f.last_inbound_at), read_up_to = greatest(c.read_up_to, f.read_up_to),
    last_message_id = case when f.newer then f.last_message_id else c.last_message_id end,
    last_message_body = case when f.newer then f.last_message_body else c.last_message_body end,
    last_message_from_me = case when f.newer then f.last_message_from_me else c.last_message_from_me end,
    last_message_at = greatest(c.last_message_at, f.last_message_at)
  from (select a.*, is_of_person(a) as is_persons,
      coalesce(a.last_message_at > b.last_message_at, a.last_message_at is not null) as newer
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
  update merge_move set after = (select ledger_of(c) from conversation c where c.id = p_into) where id = v_move;
  -- Without the time of a last message the empty conversation appears in no chat list.
  update conversation set contact_id = null, merged_into = p_into, last_message_id = null, last_message_body = null,
    last_message_from_me = null, last_message_at = null, last_inbound_at = null, unread_count = 0, return_at = null,
    unfinished_merge = p_merge
  where id = p_from;
  with led as (update conversation set merged_into = p_into where merged_into = p_from returning id)
  insert into merge_move (merge_id, kind, from_id, into_id, ids)
  select p_merge, 'conversation_lead', p_from, p_into, array_agg(id) from led having count(*) > 0;
  perform move_messages(p_from, 1000);
end
$$;

-- Takes what merges of a contact have changed, in any session, and no dashboard was told of yet: the contacts and
-- conversations that became one, and the conversations that changed hands by that. Null as a rule.
create or replace function take_merge_news(p_contact text)
returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  v_merges jsonb;
  v_handovers jsonb;
begin
  with told as (
    update contact_merge g set is_untold = false where g.into_contact_id = p_contact and g.is_untold returning g.*
  )
  select jsonb_agg(jsonb_build_object('agencyId', g.agency_id, 'tenantId', g.tenant_id, 'sessionId', g.session_id,
    'contactId', g.into_contact_id, 'mergedFrom', g.from_contact_id, 'cause', g.cause, 'chatIds', g.chat_ids,
    'conversations', merged_conversations(g.id)) order by g.id)
  into v_merges from told g;
  if v_merges is null then return null; end if;
  with told as (
    update handover h set is_untold = false from conversation c
    where c.contact_id = p_contact and h.conversation_id = c.id and h.is_untold
    returning h.id, handed_over(c, h) as row
  )
  select jsonb_agg(row order by id) into v_handovers from told;
  return jsonb_build_object('merges', v_merges, 'handovers', coalesce(v_handovers, '[]'));
end
$$;

-- Moves open messages, and up to `p_limit` of the newest other messages and turns, from a merged conversation to the
-- one that it is now. The messages of a conversation that was given to another contact become that contact's. The
-- caller holds the lock of the receiving conversation and calls again until the answer is 0.
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
  from conversation f join conversation k on k.id = conversation_now(f) where f.id = p_from;
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
