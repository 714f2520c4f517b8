-- True for a message that a contact waits for an answer to. The network's notices need none, nor does what was said
-- before the session was connected, unless the agent owes it a turn.
create or replace function asks_for_answer(m message) returns boolean language sql immutable as $$
  select m.direction = 'in' and (m.origin <> 'history' or m.awaits_turn or m.turn_id is not null)
    and m.revoked_at is null and not is_notice(m.content)
$$;

-- True for an answer: a person's as soon as it is accepted, the agent's and a program's once it is sent. The texts of
-- automations and bulk messages answer nothing, nor does the agent where it calls a person or its model failed.
create or replace function is_answer(m message) returns boolean language sql stable as $$
  select m.direction = 'out' and m.via is distinct from 'automation' and not m.bulk and m.matching_network_id is null
    and (m.status in ('sent', 'delivered', 'read', 'played')
      or (m.origin = 'person' and m.status in ('queued', 'sending', 'uncertain')))
    and (m.origin <> 'ai' or not exists (select 1 from ai_turn t where t.id = m.turn_id and t.outcome <> 'reply'))
$$;

-- True where the newest message is an answer that leaves nothing open, which tells for a thirtieth of the cost of
-- `waiting_since` that nobody waits. An answer of the agent leaves open what came while it was being made.
create or replace function ends_with_answer(p_conversation text) returns boolean language sql stable as $$
  select is_answer(m) and not (m.origin = 'ai' and exists (
    select 1 from message w where w.conversation_id = p_conversation and w.awaits_turn))
  from message m where m.conversation_id = p_conversation order by m.occurred_at desc, m.id desc limit 1
$$;

-- Answers since when a contact has waited for an answer; null if they do not wait. It looks at the last 100 messages,
-- so that a chat which nobody answers costs no more than others.
create or replace function waiting_since(p_conversation text) returns timestamptz language sql stable as $$
  with last as materialized (
    select m as whole, m.occurred_at, m.id from message m where m.conversation_id = p_conversation
    order by m.occurred_at desc, m.id desc limit 100
  ), answer as (
    select (a.whole).origin, a.occurred_at, a.id from last a where is_answer(a.whole)
    order by a.occurred_at desc, a.id desc limit 1
  )
  select min(m.occurred_at) from last m
  where asks_for_answer(m.whole) and not exists (
    select 1 from answer a
    where (m.occurred_at, m.id) < (a.occurred_at, a.id) and not (a.origin = 'ai' and (m.whole).awaits_turn))
$$;
