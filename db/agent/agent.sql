-- Answers why the agent is silent in all conversations of the tenant: a person has taken the tenant over ('human'), or
-- the agent is switched off ('paused'), also by a switch that cannot be read. Null where it may speak.
create or replace function tenant_silence(t tenant) returns text language sql stable as $$
  select case when t.ai_mode = 'human_takeover' then 'human'
    when not t.ai_enabled or not coalesce(stored_flag(t.persona->'active'), t.persona->'active' is null)
      then 'paused' end
$$;

-- True when a run will say nothing more, because its automation is switched off or stopped. The run itself learns it at
-- its next step only.
create or replace function is_run_stopped(e automation_execution) returns boolean language sql stable as $$
  select exists (select 1 from automation_stop s where s.agency_id in ('', e.agency_id))
    or not exists (select 1 from automation a where a.id = e.automation_id and a.enabled)
$$;

-- True while a run of an automation waits there for the answer to its own question. A run that is stopped takes no
-- answer. A run keeps the id of a conversation that was merged.
create or replace function is_owned_by_run(p_conversation text) returns boolean
  language sql stable as $$
  select exists (select 1 from automation_execution e
    where e.status = 'running' and e.owns_until > now() and e.taken_over_at is null and e.conversation_id in (
      select own.id from ids_of_conversation(p_conversation) as own(id))
      and not is_run_stopped(e))
$$;

-- True while a run that has just begun there is at work: what it says comes first, and a question of it is its own.
create or replace function is_run_at_work(p_conversation text) returns boolean
  language sql stable as $$
  select exists (select 1 from automation_execution e
    where e.status = 'running' and e.waits_for is null and e.taken_over_at is null
      and e.created_at > now() - interval '15 seconds' and e.conversation_id in (
      select own.id from ids_of_conversation(p_conversation) as own(id))
      and not is_run_stopped(e))
$$;

-- Answers why the agent is silent in a conversation, whatever the contact writes; null where it may speak. The function
-- is plain SQL, so that PostgreSQL can inline it into the statement that calls it.
create or replace function agent_silence(c conversation, t tenant, p_suspended boolean) returns text
  language sql stable as $$
  select case when is_group(c.chat_id) then 'group' when c.mode = 'human_takeover' then 'human'
    else coalesce(tenant_silence(t), case when p_suspended then 'paused' end,
      case when is_owned_by_run(c.id) then 'automation' end) end
$$;

-- True when the agent itself has handed the conversation over; its last words may still be on their way.
create or replace function agent_has_left(c conversation) returns boolean language sql stable as $$
  select coalesce(c.taken_over_by = 'agent', false)
$$;

-- True once a dashboard has set the agent up; from then on every inbound message gets a turn.
create or replace function agent_is_set_up(t tenant) returns boolean language sql stable as $$
  select t.ai_enabled or t.persona is not null or t.ai_epoch > 0
$$;

-- Answers why the agent does not answer a message, whoever has the conversation: nobody has said anything in it. Null
-- for a message in which somebody has.
create or replace function unsaid(m message, p_chat_id text) returns text language sql stable as $$
  select case when p_chat_id = '0@c.us' then 'network_account'
    when p_chat_id !~ '@(c\.us|lid|g\.us)$' then 'unknown_address'
    when coalesce(m.content ? 'contentState', false) then 'content_missing'
    when content_level(m.kind, m.body, m.media, m.content) < 2 or coalesce(m.content ?| array['notice', 'call'], false)
      then 'nothing_said' end
$$;

-- Decides what the agent does about a new live inbound message. `none`: no dashboard has set the agent up. `silent`:
-- the agent is known to say nothing, and a turn now records that. `return_due`: the agent has to return to the
-- conversation first. Otherwise the message is owed a turn. `wake`: the agent's workflow is started or signalled.
-- `waiting`: the workflow was woken for an earlier message and looks again before it begins, or the agency is
-- suspended, and its activation wakes it. The caller holds the conversation's lock. A message older than
-- `p_stale_after` is not answered; for one that was recovered the persona says how old it may be.
create or replace function tell_agent(p_conversation text, p_message text, p_turn text, p_now timestamptz,
  p_stale_after interval)
returns text language plpgsql set enable_seqscan = off as $$
declare
  desk record;
  why_silent text;
  is_woken boolean;
begin
  select c.agency_id, c.tenant_id, c.session_id, c.epoch, t.ai_epoch, c.return_at <= p_now as returns,
    agent_silence(c, t, false) as silence, is_suspended(a.status) as suspended, agent_is_set_up(t) as set_up,
    -- A message in which nothing was said is answered once its words are there.
    m.turn_id is not null and not exists (select 1 from ai_turn r
      where r.id = m.turn_id and r.silence_code in ('content_missing', 'nothing_said')
        and unsaid(m, c.chat_id) is null) as has_turn,
    unsaid(m, c.chat_id) as unsaid,
    -- A message that only the history shows, or that was fetched, may have been answered on the phone.
    m.occurred_at < p_now - case when m.recovered
        then coalesce(stored_int(t.persona->'answerRecoveredWithinMinutes', 0, 1440), 15) * interval '1 minute'
        else p_stale_after end
      or (m.recovered and exists (
      select 1 from parked_own_message o where o.conversation_id = p_conversation and not is_held(o)
        and to_timestamp((o.message->>'timestamp')::float8) >= date_trunc('second', m.occurred_at)))
      or ((m.origin = 'history' or m.recovered) and exists (
      select 1 from message o where o.conversation_id = p_conversation and o.direction = 'out' and o.origin <> 'ai'
        and o.matching_network_id is null
        and o.occurred_at > m.occurred_at)) as stale,
    coalesce(stored_int(t.persona->'maxWaitMs', 0, 120000), 12000) as max_wait_ms
  into desk from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    join agency a on a.id = c.agency_id
  join message m on m.id = p_message where c.id = p_conversation;
  -- A read of the history may have given the message its turn already.
  if not found or not desk.set_up or desk.has_turn then return 'none'; end if;
  if desk.returns then return 'return_due'; end if;
  -- A run takes no message without words, so its words are the agent's where they come after the run has ended.
  why_silent := coalesce(nullif(desk.silence, 'automation'), desk.unsaid, desk.silence,
    case when desk.stale then 'stale' end);
  if why_silent is null then
    is_woken := exists (select 1 from message w where w.conversation_id = p_conversation and w.awaits_turn
        and w.created_at > p_now - desk.max_wait_ms * interval '1 millisecond' and w.id <> p_message)
      and not exists (select 1 from ai_turn r where r.conversation_id = p_conversation and r.outcome = 'running');
    -- Its words may have come long after the message itself.
    update message set awaits_turn = true, owed_from = case when created_at < p_now then p_now end
    where id = p_message and not awaits_turn;
    if desk.suspended or is_woken then return 'waiting'; end if;
    insert into dispatch (workflow_type, workflow_id, action, signal, args, attributes, summary, priority, agency_id)
    select w.workflow_type, w.workflow_id,
      -- A start answers together with its first task, so it is preferred when the workflow has probably closed.
      case when exists (select 1 from ai_turn r where r.conversation_id = p_conversation
        and r.started_at > p_now - interval '30 minutes')
        then 'signal_with_start' else 'start' end, 'messageReceived', w.args, w.attributes, w.summary, w.priority,
      w.agency_id
    from conversation c cross join lateral ai_workflow(c) w where c.id = p_conversation;
    return 'wake';
  end if;
  with silent as (
    insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at,
      conversation_epoch, tenant_epoch, outcome, silence_code, inbound_message_ids, received_at, started_at, ended_at)
    select p_turn, desk.agency_id, desk.tenant_id, desk.session_id, p_conversation, m.id, m.occurred_at,
      desk.epoch, desk.ai_epoch, 'silence', why_silent, array[m.id], p_now, p_now, p_now
    from message m where m.id = p_message
  )
  update message set turn_id = p_turn, awaits_turn = false where id = p_message;
  return 'silent';
end
$$;
