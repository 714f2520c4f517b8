-- Answers how many chats a session's list has: conversations with a message. Triggers on `conversation` note each
-- change in `chat_count`, so a list never counts its rows. A session that was never counted is counted here once: a
-- statement sees conversations and changes as of one moment, so what commits meanwhile is counted by its own change.
create or replace function count_chats(p_agency text, p_tenant text, p_session text)
returns bigint language plpgsql set enable_seqscan = off as $$
declare
  v_total bigint;
  v_is_counted boolean;
begin
  select sum(change), bool_or(is_base) into v_total, v_is_counted from chat_count where session_id = p_session;
  if v_is_counted then return v_total; end if;
  insert into chat_count (session_id, change, is_base)
  select p_session, (select count(*) from conversation where agency_id = p_agency and tenant_id = p_tenant
      and session_id = p_session and last_message_at is not null)
    - coalesce((select sum(change) from chat_count where session_id = p_session), 0), true
  on conflict do nothing;
  return (select sum(change) from chat_count where session_id = p_session);
end
$$;

-- Adds the changes of some sessions up. Answers how many sessions those were, `p_limit` at most.
create or replace function add_up_chats(p_limit integer)
returns integer language plpgsql set enable_seqscan = off as $$
declare
  v_session text;
  v_sessions integer := 0;
begin
  for v_session in select distinct c.session_id from chat_count c
    join chat_count b on b.session_id = c.session_id and b.is_base
    where not c.is_base order by c.session_id limit p_limit
  loop
    -- Whoever adds up the same session waits here, and then finds less.
    perform 1 from chat_count where session_id = v_session and is_base for update;
    with added as (
      delete from chat_count where session_id = v_session and not is_base returning change
    )
    update chat_count set change = change + (select coalesce(sum(added.change), 0) from added)
    where session_id = v_session and is_base;
    v_sessions := v_sessions + 1;
  end loop;
  return v_sessions;
end
$$;
