-- Takes the notes of a session, in the order in which they were made, together for each thing that has changed
-- (`db/migrations/0171-follow-messages.sql`). No row says that there is none; a row that is busy that another
-- transaction tells the session's. A note's change was committed before the note could be read, so a statement after
-- this one sees it. The revision is higher than that of every event that was told of the session before.
create or replace function take_mirror_notes(p_session text, p_limit integer)
returns table (is_busy boolean, revision bigint, conversation_id text, message_id text, is_new boolean,
  is_history boolean)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_revision bigint;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('mirror:' || p_session, 0)) then
    return query select true, null::bigint, null::text, null::text, false, false;
    return;
  end if;
  v_revision := nextval('mirror_revision_seq');
  return query
    with taken as (
      delete from mirror_note n
      where n.id = any (array(
        select f.id from mirror_note f where f.session_id = p_session order by f.id limit p_limit))
      returning n.id, n.conversation_id, n.message_id, n.is_new, n.is_history
    )
    select false, v_revision, t.conversation_id, t.message_id, bool_or(t.is_new), bool_and(t.is_history)
    from taken t group by t.conversation_id, t.message_id order by min(t.id);
end
$$;

-- Lists up to `p_limit` sessions of which something is to be told, in the order of their ids, those behind `p_after`.
-- It jumps along the index from one session to the next, so a session costs the same however many notes it has.
create or replace function sessions_with_mirror_notes(p_after text, p_limit integer)
returns setof text language sql stable set enable_seqscan = off as $$
  with recursive noted as (
    (select n.session_id, 1 as place from mirror_note n where n.session_id > p_after
      order by n.session_id limit 1)
    union all
    select next.session_id, w.place + 1 from noted w cross join lateral (
      select n.session_id from mirror_note n where n.session_id > w.session_id order by n.session_id limit 1) next
    where w.place < p_limit
  )
  select w.session_id from noted w
$$;

-- Has messages told that a read of the past has brought, where somebody asks for messages. Answers how many.
create or replace function tell_history(p_messages text[])
returns bigint language sql set enable_seqscan = off as $$
  with noted as (
    insert into mirror_note (session_id, conversation_id, message_id, is_new, is_history)
    select m.session_id, m.conversation_id, m.id, true, true from message m
    where m.id = any (p_messages) and exists (select from mirror w
      where w.agency_id = m.agency_id and w.messages and (w.tenant_id is null or w.tenant_id = m.tenant_id))
    order by m.occurred_at, m.id
    returning 1
  )
  select count(*) from noted
$$;
