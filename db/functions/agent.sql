-- What a new live inbound message means for the agent: `none` where nobody has set the agent up, `silent` where it is known
-- already that it says nothing (and now on record), `return_due` where it has to return first, else it owes a turn: `wake`,
-- or `waiting` where it has been woken for an earlier one and looks again before it begins. Under the conversation's lock.
create or replace function tell_agent(p_conversation text, p_message text, p_turn text, p_now timestamptz)
returns text language plpgsql set enable_seqscan = off as $$
declare
  v record;
  v_code text;
  v_waiting boolean;
begin
  select c.agency_id, c.tenant_id, c.session_id, c.epoch, t.ai_epoch, c.return_at <= p_now as returns,
    c.mode = 'human_takeover' or t.ai_mode = 'human_takeover' as human, c.chat_id like '%@g.us' as is_group,
    not t.ai_enabled or a.status = 'suspended' or not coalesce((t.persona->>'active')::boolean, true) as paused,
    t.ai_enabled or t.persona is not null or t.ai_epoch > 0 as set_up, coalesce((t.persona->>'maxWaitMs')::integer, 12000) as max_wait_ms
  into v from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id join agency a on a.id = c.agency_id
  where c.id = p_conversation;
  if not found or not v.set_up then return 'none'; end if;
  if v.returns then return 'return_due'; end if;
  v_code := case when v.is_group then 'group' when v.human then 'human' when v.paused then 'paused' end;
  if v_code is null then
    v_waiting := exists (select 1 from message w where w.conversation_id = p_conversation and w.awaits_turn
        and w.created_at > p_now - v.max_wait_ms * interval '1 millisecond' and w.id <> p_message)
      and not exists (select 1 from ai_turn r where r.conversation_id = p_conversation and r.outcome = 'running');
    update message set awaits_turn = true where id = p_message;
    return case when v_waiting then 'waiting' else 'wake' end;
  end if;
  with silent as (
    insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at, conversation_epoch,
      tenant_epoch, outcome, silence_code, inbound_message_ids, received_at, started_at, ended_at)
    select p_turn, v.agency_id, v.tenant_id, v.session_id, p_conversation, m.id, m.occurred_at, v.epoch, v.ai_epoch, 'silence', v_code,
      array[m.id], p_now, p_now, p_now
    from message m where m.id = p_message
  )
  update message set turn_id = p_turn where id = p_message;
  return 'silent';
end
$$;
