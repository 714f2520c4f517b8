-- Inserts a turn under the epochs of this moment; a turn with a `silence` has ended when it is inserted, and its
-- messages have had their turn. `p` is made by `turnToInsert`. Needs the conversation's lock.
create or replace function insert_turn(p_conversation text, p jsonb, p_now timestamptz) returns void
  language plpgsql set enable_seqscan = off as $$
declare
  v_messages text[] := array(select jsonb_array_elements_text(p->'messageIds'));
  v_silence text := p->>'silence';
begin
  insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at,
    conversation_epoch, tenant_epoch, model, models_tried, restarts, outcome, silence_code, inbound_message_ids,
    received_at, started_at, ended_at)
  select p->>'id', c.agency_id, c.tenant_id, c.session_id, c.id, p->>'messageId', (p->>'at')::timestamptz, c.epoch,
    t.ai_epoch, p->>'model', array_remove(array[p->>'model'], null), (p->>'restarts')::integer,
    case when v_silence is null then 'running' else 'silence' end, v_silence, v_messages,
    (p->>'receivedAt')::timestamptz, p_now, case when v_silence is not null then p_now end
  from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id where c.id = p_conversation;
  if v_silence is not null then
    update message set turn_id = p->>'id', awaits_turn = false where id = any (v_messages) and awaits_turn;
  end if;
end
$$;

-- Removes the running turns of a workflow that is gone, because they would stand between a message and its answer. A
-- turn that has asked a model is ended instead and keeps the cost on record.
create or replace function abandon_turns(p_conversation text, p_except text, p_now timestamptz) returns void
  language sql as $$
  delete from ai_turn where conversation_id = p_conversation and outcome = 'running'
    and id is distinct from p_except and model_calls = '[]';
  update ai_turn set outcome = 'silence', silence_code = 'newer_message', ended_at = p_now
  where conversation_id = p_conversation and outcome = 'running' and id is distinct from p_except;
$$;

-- Ends a running turn; false when it has ended already. Its messages have had their turn then, with two exceptions: the
-- messages of a turn that was given up for newer messages belong to the next turn, and those of a turn that is tried
-- again stay owed.
create or replace function end_turn(p_turn text, p jsonb, p_now timestamptz) returns boolean
  language plpgsql set enable_seqscan = off as $$
declare
  v_messages text[];
begin
  update ai_turn set outcome = p->>'outcome', ended_at = p_now, silence_code = p->>'code',
    handoff_reason = p->>'reason', message_id = p->'messageIds'->>0,
    message_ids = array(select jsonb_array_elements_text(p->'messageIds')),
    output_notes = output_notes || array(select jsonb_array_elements_text(p->'notes')),
    retry_at = (p->>'retryAt')::timestamptz
  where id = p_turn and outcome = 'running' returning inbound_message_ids into v_messages;
  if not found then return false; end if;
  if p->>'code' is distinct from 'newer_message' then
    update message set turn_id = p_turn, awaits_turn = p->>'retryAt' is not null
    where id = any (v_messages) and awaits_turn;
  end if;
  return true;
end
$$;

-- Answers which messages of the conversation are owed a turn, in an order that is always the same.
create or replace function owed_messages(p_conversation text, p_limit integer) returns jsonb
  language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_array(o.id, o.revoked_at is not null) order by o.id collate "C"), '[]')
  from (select id, revoked_at from message where conversation_id = p_conversation and awaits_turn
    order by created_at limit p_limit) o
$$;

-- Does what was decided about a desk (`desk.sql`) if the desk is as it was: under the lock of the conversation, the
-- same messages are owed, the same turn runs, and nobody has taken over since. False when something has changed; then
-- nothing is done. `abandons`: running turns but the one that is named belong to a workflow that is gone. `givesUp`:
-- that one is given up for newer messages. `turns`: the turns that begin, or only record a silence.
create or replace function step_turns(p jsonb) returns boolean language plpgsql set enable_seqscan = off as $$
declare
  v_id text := p->>'conversationId';
  v_now timestamptz := (p->>'now')::timestamptz;
  v_seen jsonb := p->'seen';
  v_turn jsonb;
begin
  if lock_conversation(v_id) <> v_id then return false; end if;
  -- A new statement sees what was committed while the lock was waited for.
  perform 1 from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    join agency a on a.id = c.agency_id
  where c.id = v_id and c.epoch = (v_seen->>'epoch')::integer and t.ai_epoch = (v_seen->>'tenantEpoch')::integer
    and agent_silence(c, t, false) is not distinct from v_seen->>'silence'
    and is_suspended(a.status) = (v_seen->>'isSuspended')::boolean
    and owed_messages(v_id, (v_seen->>'maxOwed')::integer) = v_seen->'owedIds'
    and (select r.id from ai_turn r where r.conversation_id = v_id and r.outcome = 'running' order by r.id desc limit 1)
      is not distinct from v_seen->>'running';
  if not found then return false; end if;
  if (p->>'abandons')::boolean then perform abandon_turns(v_id, p->>'except', v_now); end if;
  if p->>'givesUp' is not null then
    perform end_turn(p->>'givesUp', '{"outcome": "silence", "code": "newer_message"}', v_now);
  end if;
  for v_turn in select value from jsonb_array_elements(p->'turns') loop
    perform insert_turn(v_id, v_turn, v_now);
  end loop;
  return true;
end
$$;

-- Adds the usage to the day, for the agency (the tenant ''), the tenant and the contact, and gives back the tokens
-- that were set aside for it. A request after this commit sees the real number instead of the reserved one.
create or replace function record_usage(p jsonb, p_now timestamptz) returns void language sql as $$
  delete from ai_reservation where id = p->>'reservationId';
  insert into ai_usage as u (agency_id, tenant_id, contact_id, day, replies, tokens, cost_micros)
  select p->>'agencyId', tenant, whose, (p_now at time zone 'UTC')::date, (p->>'replies')::integer,
    (p->>'tokens')::bigint, (p->>'costMicros')::bigint
  from (values (1, '', ''), (2, p->>'tenantId', ''), (3, p->>'tenantId', p->>'contactId')) w(place, tenant, whose)
  where whose is not null order by place
  on conflict (agency_id, tenant_id, contact_id, day) do update set replies = u.replies + excluded.replies,
    tokens = u.tokens + excluded.tokens, cost_micros = u.cost_micros + excluded.cost_micros;
$$;

-- Records the result of one request to a model, even if the turn has ended. A request with a purpose of its own, such
-- as extracting facts, changes neither the turn's model nor its reply. A sum stays null until a request has reported a
-- number.
create or replace function record_model_call(p_turn text, p_call jsonb, p_answer jsonb) returns void
  language sql as $$
  update ai_turn set model_calls = model_calls || jsonb_build_array(p_call),
    model = case when p_call ? 'purpose' then model else p_call->>'model' end,
    error_code = case when p_call ? 'purpose' then error_code else p_call->>'error' end,
    input_tokens = coalesce(input_tokens + (p_call->>'inputTokens')::integer, input_tokens,
      (p_call->>'inputTokens')::integer),
    output_tokens = coalesce(output_tokens + (p_call->>'outputTokens')::integer, output_tokens,
      (p_call->>'outputTokens')::integer),
    cost_micros = coalesce(cost_micros + (p_call->>'costMicros')::bigint, cost_micros,
      (p_call->>'costMicros')::bigint),
    memory_ids = case when p_answer is null then memory_ids
      else array(select jsonb_array_elements_text(p_answer->'memoryIds')) end,
    reply = coalesce(p_answer->>'reply', reply)
  where id = p_turn
$$;

-- Ends a turn as was concluded, with the messages that its words become (`send`, an argument of `accept_send`), and
-- records what the answer has used (`usage`) and the request to the model (`call`, `answer`). Nothing is said when the
-- turn has ended already, or when since it began somebody has taken over or the agent was switched off. Answers the
-- state that it found (`open`, `taken_over`, `paused`, `over`), and where the turn's conversation is now.
create or replace function conclude_turn(p jsonb) returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  v_id text := p->>'turnId';
  v_now timestamptz := (p->>'now')::timestamptz;
  v_conversation_id text;
  v_state text;
  v_end jsonb := p->'end';
  v_accepted jsonb;
  begun record;
begin
  v_conversation_id := lock_conversation(p->>'conversationId');
  select r.outcome = 'running' as is_open, c.epoch, c.epoch <> r.conversation_epoch as has_moved,
    coalesce(agent_silence(c, t, false), case when t.ai_epoch <> r.tenant_epoch then 'paused' end) as silence
  into begun from ai_turn r join conversation c on c.id = v_conversation_id
  join tenant t on t.agency_id = r.agency_id and t.id = r.tenant_id
  where r.id = v_id for no key update of r;
  v_state := case when begun.is_open is not true then 'over'
    when begun.has_moved or begun.silence = 'human' then 'taken_over'
    when begun.silence is null then 'open' else 'paused' end;
  if v_state in ('taken_over', 'paused') then
    v_end := jsonb_build_object('outcome', 'silence',
      'code', case begun.silence when 'automation' then 'automation' else v_state end);
  elsif v_state = 'open' and p->'send' <> 'null' then
    v_accepted := accept_send(p->'send' || jsonb_build_object('conversationId', v_conversation_id,
      'conversationEpoch', begun.epoch));
    -- The session is gone meanwhile, or the contact wants no more messages, so nothing can be said.
    v_end := case when v_accepted->>'outcome' = 'accepted'
      then v_end || jsonb_build_object('messageIds', jsonb_path_query_array(p->'send', '$.parts[*].messageId'))
      else jsonb_build_object('outcome', 'silence',
        'code', case v_accepted->>'outcome' when 'opted_out' then 'opted_out' else 'paused' end) end;
  end if;
  if v_state <> 'over' then perform end_turn(v_id, v_end, v_now); end if;
  if p->'usage' <> 'null' then
    perform record_usage(p->'usage' || jsonb_build_object('replies',
      case when v_state = 'open' and p->'end'->>'outcome' = 'reply' then 1 else 0 end), v_now);
  end if;
  if p->'call' <> 'null' then perform record_model_call(v_id, p->'call', p->'answer'); end if;
  return jsonb_build_object('state', v_state, 'conversationId', v_conversation_id, 'epoch', begun.epoch,
    'accepted', v_accepted);
end
$$;
