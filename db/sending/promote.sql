-- Answers the first message of each lane of a conversation's queue. A message on its way is always the first of its
-- lane. The function has no SET, so that PostgreSQL can inline it into the statement that calls it.
create or replace function queue_heads(p_conversation text)
returns table (id text, lane smallint, session_id text, on_its_way boolean, ready_at timestamptz)
  language sql stable as $$
  select h.id, h.lane, h.session_id, h.status = 'sending' or h.released_at is not null, h.ready_at
  from (values (0::smallint), (1::smallint)) l(lane) cross join lateral (
    select m.id, m.lane, m.session_id, m.status, m.released_at, m.ready_at from message m
    where m.conversation_id = p_conversation and m.lane = l.lane and m.status in ('queued', 'sending')
    order by m.chat_seq limit 1) h
$$;

-- Lets the next message of a conversation go when none is on its way: replies before bulk, first in first out within a
-- lane. The caller holds the conversation's lock. When a pace is set, the heads become ready and `release_session` lets
-- them go. Answers 'released' when a message goes, and 'ready' when heads wait for the releaser. Answers 'held' when
-- nothing waits, when a message is on its way, or when the session may not send, so that the queue stays as rows.
create or replace function promote(p_conversation text, p_now timestamptz)
returns text language plpgsql set enable_seqscan = off as $$
declare
  heads record;
  sender record;
begin
  select bool_or(h.on_its_way) as on_its_way, min(h.session_id) as session_id,
    (array_agg(h.id order by h.lane))[1] as first, array_agg(h.id) filter (where h.ready_at is null) as not_ready
  into heads from queue_heads(p_conversation) h;
  if heads.first is null or heads.on_its_way then return 'held'; end if;
  select may_send(s.status, a.status) as may_send,
    is_paced(t.settings, d.per_minute) or is_held(s.id, p_now) as paced
  into sender
  from session s join agency a on a.id = s.agency_id join tenant t on t.agency_id = s.agency_id and t.id = s.tenant_id
  cross join pace_default d where s.id = heads.session_id and d.one;
  if sender.paced then
    if heads.not_ready is not null then update message set ready_at = p_now where id = any (heads.not_ready); end if;
    if sender.may_send then perform make_due(heads.session_id, p_now); end if;
    return 'ready';
  end if;
  if not sender.may_send then return 'held'; end if;
  update message set released_at = p_now, updated_at = p_now where id = heads.first;
  -- A message that was returned to its queue has a workflow, which waits for a signal.
  perform promise_messages(array[heads.first],
    exists (select 1 from message where id = heads.first and (attempts > 0 or promised_at is not null)));
  return 'released';
end
$$;
