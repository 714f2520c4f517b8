-- Releases the next message of a conversation when none is on its way: replies before bulk, first in first out within a
-- lane. Called under the conversation's lock. A session that may not send now holds its queue as rows.
create or replace function promote(p_conversation text, p_now timestamptz, p_names jsonb)
returns integer language plpgsql set enable_seqscan = off as $$
declare
  next_id text;
begin
  update message m set released_at = p_now, updated_at = p_now
  where m.id = (
    select q.id from message q
    join session s on s.id = q.session_id and s.status = 'WORKING'
    join agency a on a.id = q.agency_id and a.status <> 'suspended'
    where q.conversation_id = p_conversation and q.status = 'queued' and q.released_at is null
      and not exists (
        select 1 from message h where h.conversation_id = p_conversation
          and (h.status = 'sending' or (h.status = 'queued' and h.released_at is not null)))
    order by q.lane, q.chat_seq limit 1)
  returning m.id into next_id;
  if next_id is null then return 0; end if;
  return dispatch_messages(array[next_id], 'start', null, p_names);
end
$$;
