-- Gives due scheduled messages their place in the queue, the earliest first. All messages of a conversation that
-- another transaction has locked are taken a moment later, so that they keep their order.
create or replace function queue_scheduled(p_now timestamptz, p_limit integer)
returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  due record;
  place bigint;
  busy text[] := '{}';
  ended text[] := '{}';
  moved text[] := '{}';
  sessions text[] := '{}';
  released integer := 0;
  promoted text;
begin
  for due in
    select id, conversation_id, session_id, expires_at <= p_now as expired from message
    where status = 'scheduled' and scheduled_at <= p_now order by scheduled_at, id limit p_limit
  loop
    continue when due.conversation_id = any (busy);
    perform 1 from conversation where id = due.conversation_id for no key update skip locked;
    if not found then
      busy := busy || due.conversation_id;
      continue;
    end if;
    -- The message may have been put off, cancelled or moved with its conversation since it was found, so the row is
    -- read again under the lock.
    perform 1 from message where id = due.id and conversation_id = due.conversation_id and status = 'scheduled'
      and scheduled_at <= p_now for update;
    continue when not found;
    if due.expired then
      update message set status = 'failed', error_code = 'expired', ended_at = p_now, updated_at = p_now
        where id = due.id;
      insert into message_history (message_id, at, status, reason) values (due.id, p_now, 'failed', 'expired');
      ended := ended || due.id;
      continue;
    end if;
    update conversation c set last_seq = c.last_seq + 1, last_message_id = due.id,
      last_message_body = left(m.body, 500), last_message_from_me = true,
      last_message_at = greatest(c.last_message_at, p_now)
    from message m where m.id = due.id and c.id = due.conversation_id returning c.last_seq into place;
    update message set status = 'queued', chat_seq = place, occurred_at = p_now, updated_at = p_now where id = due.id;
    insert into message_history (message_id, at, status) values (due.id, p_now, 'queued');
    moved := moved || due.id;
    promoted := promote(due.conversation_id, p_now);
    if promoted = 'released' then released := released + 1; end if;
    if promoted = 'ready' and not due.session_id = any (sessions) then sessions := sessions || due.session_id; end if;
  end loop;
  return jsonb_build_object('moved', moved, 'ended', ended, 'sessions', sessions, 'released', released,
    'isBusy', cardinality(busy) > 0,
    'nextAt', (select scheduled_at from message where status = 'scheduled' order by scheduled_at limit 1));
end
$$;
