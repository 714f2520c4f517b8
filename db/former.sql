-- Functions that only processes of 0.1.0 call, while they are being replaced; a migration of the next release drops
-- them. Former processes pass the names from which promises are built (`p_names`), and use numbers where the functions
-- now return words.

create or replace function promoted_as_number(p_promoted text) returns integer language sql immutable as $$
  select case p_promoted when 'released' then 1 when 'ready' then -1 else 0 end
$$;

create or replace function accept_send(p jsonb, p_names jsonb) returns jsonb language sql as $$
  select accepted || jsonb_build_object('released', promoted_as_number(accepted->>'promoted'))
  from accept_send(p) accepted
$$;

create or replace function promote(p_conversation text, p_now timestamptz, p_names jsonb)
returns integer language sql as $$
  select promoted_as_number(promote(p_conversation, p_now))
$$;

create or replace function release_session(p_session text, p_now timestamptz, p_names jsonb)
returns jsonb language sql as $$
  select release_session(p_session, p_now)
$$;

create or replace function queue_scheduled(p_now timestamptz, p_limit integer, p_names jsonb)
returns jsonb language sql as $$
  select queue_scheduled(p_now, p_limit)
$$;

create or replace function dispatch_messages(p_ids text[], p_action text, p_signal text, p_names jsonb)
returns integer language sql as $$
  select promise_messages(p_ids, p_action <> 'start')
$$;

create or replace function tell_agent(p_conversation text, p_message text, p_turn text, p_now timestamptz,
  p_names jsonb)
returns text language sql as $$
  select tell_agent(p_conversation, p_message, p_turn, p_now,
    (p_names->>'staleAfterMs')::integer * interval '1 millisecond')
$$;

-- Answers for how many milliseconds it may still turn out that a person has just written in the conversation on the
-- phone: an own message is parked, and no send under way looks like it. This is decided after p_within at the latest;
-- null when no such message is parked.
create or replace function phone_wait_ms(p_session text, p_conversation text, p_within integer)
returns float8 language plpgsql stable set enable_seqscan = off as $$
begin
  if not exists (select 1 from parked_own_message
    where session_id = p_session and conversation_id = p_conversation) then
    return null;
  end if;
  return (select max(extract(epoch from p.parked_at + p_within * interval '1 millisecond' - clock_timestamp()) * 1000)
    from parked_own_message p
    where p.session_id = p_session and p.conversation_id = p_conversation
      and p.parked_at > clock_timestamp() - p_within * interval '1 millisecond'
      and to_timestamp((p.message->>'timestamp')::float8) > p.parked_at - interval '1 hour'
      -- An echo may have been parked in the moment in which its send was recorded.
      and not exists (select 1 from message m where m.session_id = p_session and m.direction = 'out'
        and m.network_id = p.network_id)
      and not exists (select 1 from message m where m.session_id = p_session and m.status = 'sending'
        and (m.chosen_network_id = p.network_id or m.body = p.message->>'body')));
end
$$;

create or replace function insert_network_message(p_conversation text, p jsonb, p_now timestamptz)
returns table (id text, conversation_id text, contact_id text, is_for_agent boolean, parked text[])
language sql as $$
  select id, conversation_id, contact_id, is_for_agent, parked from write_message(p_conversation, p, p_now)
$$;

create or replace function import_messages(p_conversation text, p_messages jsonb, p_now timestamptz)
returns table (ids text[], is_for_agent boolean, contacted boolean, last_message_at timestamptz,
  last_inbound_at timestamptz, unread_count integer)
language sql as $$
  select array(select w.value->>'id' from jsonb_array_elements(past->'written') w), (past->>'isForAgent')::boolean,
    (past->>'contacted')::boolean, (past->>'lastMessageAt')::timestamptz, (past->>'lastInboundAt')::timestamptz,
    (past->>'unreadCount')::integer
  from import_past(p_conversation, p_messages, p_now) past
$$;
