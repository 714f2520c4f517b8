-- True for an own message that may answer a contact: a person's as soon as it is accepted, the agent's and a program's
-- once it is sent. The texts of automations and bulk messages answer nothing.
create or replace function may_answer(m message) returns boolean language sql immutable as $$
  select m.direction = 'out' and m.via is distinct from 'automation' and not m.bulk and m.matching_network_id is null
    and m.revoked_at is null
    and (was_sent(m.status) or (m.origin = 'person' and m.status in ('queued', 'sending', 'uncertain')))
$$;

-- True for a turn whose reply answers its messages: it calls no person, and no part of the reply has failed.
create or replace function turn_answers(t ai_turn) returns boolean language sql stable as $$
  select t.outcome = 'reply' and t.silence_code is null
    and not exists (select 1 from message f where f.id = any (t.message_ids) and f.status = 'failed')
$$;

-- True where the newest message answers all that the contact wrote, so that most chats need no `waiting_since`. A
-- message that comes late makes a chat unread that a person has answered. The newest message is found first: for all
-- messages of a chat, a plan would read all turns.
create or replace function ends_with_answer(p_conversation text, p_unread integer, p_last_inbound timestamptz)
returns boolean language sql stable as $$
  select may_answer(newest.m) and case (newest.m).origin
      when 'person' then p_unread = 0
      when 'ai' then exists (select 1 from ai_turn t
        where t.id = (newest.m).turn_id and turn_answers(t) and t.up_to_at >= p_last_inbound)
      else true
    end
  from (select m from message m where m.conversation_id = p_conversation
    order by m.occurred_at desc, m.id desc limit 1) newest
$$;

-- Answers since when a contact has waited for an answer; null if they do not wait. The network's notices need none, nor
-- does what was said before the session was connected, or what a person has said to need none. An answer of the agent
-- is to the messages of its turn, and one of a person or a program to those that were here before it. A turn that calls
-- a person, or whose model failed, answers nothing. It looks at the last 100 questions and answers, so that a chat
-- which nobody answers costs no more than others.
create or replace function waiting_since(p_conversation text) returns timestamptz language sql stable as $$
  with last as materialized (
    select m.id, m.occurred_at, m.created_at, m.direction, m.origin, m.via, m.turn_id from message m
    where m.conversation_id = p_conversation and (may_answer(m) or (
      m.direction = 'in' and m.waived_at is null
      and (m.origin <> 'history' or m.awaits_turn or m.turn_id is not null or m.occurred_at > (
        select p.first_connected_at from session_pace p where p.session_id = m.session_id))
      and m.revoked_at is null and not is_notice(m.content)))
    order by m.occurred_at desc, m.id desc limit 100
  ), answer as (
    select coalesce(t.up_to_at, l.occurred_at) as at, coalesce(t.up_to_message_id, l.id) as id,
      case when l.origin in ('person', 'api') and l.via is null then l.created_at end as sees_until
    from last l left join ai_turn t on t.id = l.turn_id and l.origin = 'ai'
    where l.direction = 'out' and (t.id is null or turn_answers(t))
  )
  select min(q.occurred_at) from last q where q.direction = 'in' and not exists (
    select 1 from answer a
    where (q.occurred_at, q.id) <= (a.at, a.id) and (a.sees_until is null or q.created_at <= a.sees_until))
$$;
