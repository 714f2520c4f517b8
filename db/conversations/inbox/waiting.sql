-- True for a message that a contact waits for an answer to. The network's notices, and what was said before the session
-- was connected, need none.
create or replace function asks_for_answer(m message) returns boolean language sql immutable as $$
  select m.direction = 'in' and m.origin <> 'history' and m.revoked_at is null and not is_notice(m.content)
$$;

-- True for an answer: a person's as soon as it is accepted, the agent's and a program's once it is sent. The texts of
-- automations and bulk messages answer nothing.
create or replace function is_answer(m message) returns boolean language sql immutable as $$
  select m.direction = 'out' and m.via is distinct from 'automation' and not m.bulk
    and (m.status in ('sent', 'delivered', 'read', 'played')
      or (m.origin = 'person' and m.status in ('queued', 'sending', 'uncertain')))
$$;

-- Answers since when a contact has waited for an answer; null if they do not wait. It looks at the last 20 messages, so
-- that a chat which nobody answers costs no more than others.
create or replace function waiting_since(p_conversation text) returns timestamptz language sql stable as $$
  with last as materialized (
    select m as whole, m.occurred_at, m.id from message m where m.conversation_id = p_conversation
    order by m.occurred_at desc, m.id desc limit 20
  ), answer as (
    select a.occurred_at, a.id from last a where is_answer(a.whole) order by a.occurred_at desc, a.id desc limit 1
  )
  select min(m.occurred_at) from last m
  where asks_for_answer(m.whole)
    and not exists (select 1 from answer a where (m.occurred_at, m.id) < (a.occurred_at, a.id))
$$;
