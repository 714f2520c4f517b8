-- Answers what a new turn finds used of the budgets `p_budgets`, which are fields of a persona: the level as
-- `budget_level` numbers it, and whether the contact was answered as often within an hour as may be.
create or replace function agent_budget(p_agency text, p_tenant text, p_contact text, p_conversation text,
  p_budgets jsonb, p_now timestamptz, p_step_down numeric, p_lives interval)
returns jsonb language plpgsql stable set enable_seqscan = off as $$
declare
  v_of_tenant bigint := stored_int(p_budgets->'maxTokensPerDay', 0, 9007199254740991);
  v_of_contact bigint := case when p_contact is null then 0
    else stored_int(p_budgets->'maxTokensPerContactPerDay', 0, 9007199254740991) end;
  v_replies integer := stored_int(p_budgets->'maxRepliesPerContactPerHour', 0, 1000)::integer;
  v_is_talked_out boolean := false;
begin
  if v_replies > 0 then
    select count(*) >= v_replies into v_is_talked_out from conversation c join ai_turn t on t.conversation_id = c.id
    where (c.id = p_conversation or c.contact_id = p_contact) and t.outcome in ('reply', 'fallback')
      and t.ended_at > p_now - interval '1 hour';
  end if;
  return jsonb_build_object('isTalkedOut', v_is_talked_out, 'level', greatest(
    spending_level(p_agency, p_tenant, v_of_tenant, p_step_down, p_now, p_lives, null),
    case when v_of_contact = 0 then 0
      else budget_level(p_agency, p_tenant, p_contact, v_of_contact, p_step_down, p_now, p_lives, null) end));
end
$$;

-- Answers the state of a conversation that decides whether and when the agent answers, in one round trip; null when
-- there is no such conversation. It locks nothing: what is decided by it is done by `step_turns`, which looks again
-- under the lock whether the answer still holds.
create or replace function agent_desk(p jsonb) returns jsonb language plpgsql stable set enable_seqscan = off as $$
declare
  v_id text;
  v_now timestamptz := (p->>'now')::timestamptz;
  v_desk jsonb;
  v_owed jsonb;
  v_said jsonb;
begin
  select conversation_now(k) into v_id from conversation k where k.id = p->>'conversationId';

  select jsonb_build_object('conversationId', c.id, 'agencyId', c.agency_id, 'tenantId', c.tenant_id,
      'sessionId', c.session_id, 'backend', s.backend, 'sessionName', s.name, 'chatId', c.chat_id,
      'contactId', c.contact_id, 'epoch', c.epoch, 'tenantEpoch', t.ai_epoch,
      'silence', agent_silence(c, t, false), 'isSuspended', is_suspended(a.status),
      'activatedAtMs', (extract(epoch from a.activated_at) * 1000)::float8, 'persona', t.persona,
      'timeZone', zone_of(t.settings),
      'typingAtMs', (extract(epoch from c.typing_at) * 1000)::float8,
      'typingUntilMs', (extract(epoch from c.typing_until) * 1000)::float8,
      'isHidden', exists (select 1 from contact k where k.id = c.contact_id and is_hidden(k.chat_id)),
      'wasGivenUp', exists (select 1 from ai_turn r where r.id = p->>'running' and r.silence_code = 'newer_message'),
      'running', (
        select jsonb_build_object('id', r.id, 'messageIds', r.inbound_message_ids, 'restarts', r.restarts,
          'firstStartedMs',
          (select (extract(epoch from min(b.started_at)) * 1000)::float8 from (select started_at from ai_turn b
            where b.conversation_id = c.id and b.id <= r.id order by b.id desc limit r.restarts + 1) b))
        from ai_turn r where r.conversation_id = c.id and r.outcome = 'running' order by r.id desc limit 1),
      'givenUpRestarts', (
        select case when l.silence_code = 'newer_message' then l.restarts end from ai_turn l
        where l.conversation_id = c.id and l.outcome <> 'running' order by l.id desc limit 1))
  into v_desk from conversation c join session s on s.id = c.session_id join agency a on a.id = c.agency_id
  join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id where c.id = v_id;
  if v_desk is null then return null; end if;

  select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'kind', o.kind, 'body', o.body,
      'isRevoked', o.revoked_at is not null, 'isRecovered', o.recovered, 'at', o.occurred_at,
      'receivedAt', o.created_at,
      'occurredMs', (extract(epoch from o.occurred_at) * 1000)::float8,
      'receivedMs', (extract(epoch from o.created_at) * 1000)::float8,
      'owedFromMs', (extract(epoch from coalesce(o.owed_from, o.created_at)) * 1000)::float8,
      -- The contact sent this very text shortly before, and a turn answered it: a reply that failed answers nothing. A
      -- short one may be an answer itself.
      'isRepeated', o.kind = 'text' and octet_length(o.body) >= (p->>'duplicateLength')::integer and exists (
        select 1 from message m join ai_turn r on r.id = m.turn_id and turn_answers(r)
        where m.conversation_id = v_id and m.direction = 'in' and m.body = o.body and m.id <> o.id and not m.awaits_turn
          and m.occurred_at > o.created_at - (p->>'duplicateWithinMs')::integer * interval '1 millisecond'),
      'retry', (select jsonb_build_object('turnId', r.id, 'atMs', (extract(epoch from r.retry_at) * 1000)::float8)
        from ai_turn r where r.id = o.turn_id and r.retry_at is not null))
    order by o.occurred_at, o.id), '[]')
  into v_owed from (select * from message where conversation_id = v_id and awaits_turn
    order by created_at limit (p->>'maxOwed')::integer) o;

  -- Our sends count from the claim on, because the contact's answer may come before the backend has told us that the
  -- message is sent.
  select coalesce(jsonb_agg(jsonb_build_object('by', by, 'text', text,
      'atMs', (extract(epoch from at) * 1000)::float8) order by at, id), '[]')
  into v_said from (
    select case when direction = 'in' then 'contact' when origin = 'ai' then 'agent' else 'person' end as by,
      case when direction = 'in' then occurred_at else coalesce(claimed_at, sent_at, occurred_at) end as at,
      body as text, id
    from message where conversation_id = v_id and (status = 'sending' or was_said(status)) and not is_notice(content)
      -- Nobody knows yet who wrote it: the agent would read a send of its own twice. `phone` makes it wait.
      and matching_network_id is null
    order by occurred_at desc, id desc limit (p->>'looksBack')::integer) said;

  return v_desk || jsonb_build_object('owed', v_owed, 'said', v_said,
    -- A silent agent has nothing to wait for, so the phone is not looked at.
    'phone', case when v_desk->>'silence' is null then
      phone_facts(v_desk->>'sessionId', v_id, (p->>'phoneLiveMs')::integer, (p->>'adoptAfterMs')::integer) end,
    'isRunAtWork', is_run_at_work(v_id),
    'budget', agent_budget(v_desk->>'agencyId', v_desk->>'tenantId', v_desk->>'contactId', v_id,
      p->'budgets' || coalesce(nullif(v_desk->'persona', 'null'), '{}'), v_now, (p->>'stepDownAt')::numeric,
      (p->>'reservationMs')::integer * interval '1 millisecond'));
end
$$;
