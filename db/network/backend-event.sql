-- Answers the key of the advisory lock under which the events of a session are applied.
create or replace function session_events_lock(p_session_name text) returns bigint language sql immutable as $$
  select hashtextextended('apply:' || p_session_name, 0)
$$;

-- Takes the next events of each of these sessions in the order in which they came, with the ids of the session if there
-- is one. The sessions' locks are held until the transaction ends. A row that is busy says that another transaction
-- holds the lock of that session.
--
-- The events are read by a statement of their own after the lock was taken. A statement that took the lock itself could
-- still see events as unapplied that the lock's last holder has applied. `p_limit` is for each session. `p_max_bytes`
-- bounds the bodies of all of them together, of which the last one is taken however large it is; the sessions behind it
-- are left alone. The transaction waits at most `p_lock_wait_ms` for any lock; 0 is no limit.
create or replace function take_backend_events(p_session_names text[], p_limit integer, p_max_bytes bigint,
  p_lock_wait_ms integer)
returns table (session_name text, is_busy boolean, id bigint, received_on date, received_at timestamptz, body text,
  attempts integer, session_id text, agency_id text, tenant_id text) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_name text;
  v_bytes bigint := 0;
begin
  perform set_config('lock_timeout', p_lock_wait_ms::text, true);
  foreach v_name in array p_session_names loop
    exit when v_bytes >= p_max_bytes;
    if not pg_try_advisory_xact_lock(session_events_lock(v_name)) then
      return query select v_name, true, null::bigint, null::date, null::timestamptz, null, null::integer, null, null,
        null;
      continue;
    end if;
    for session_name, is_busy, id, received_on, received_at, body, attempts, session_id, agency_id, tenant_id in
      with due as (
        (select e.id, e.received_on, e.received_at, e.body, e.attempts, e.backend from backend_event e
          where e.session_name = v_name and e.applied_at is null and e.parked_at is null and e.retry_at is null
          order by e.retry_at nulls first, e.id limit p_limit)
        union all
        (select e.id, e.received_on, e.received_at, e.body, e.attempts, e.backend from backend_event e
          where e.session_name = v_name and e.applied_at is null and e.parked_at is null
            and e.retry_at <= clock_timestamp()
          order by e.retry_at nulls first, e.id limit p_limit)
      ), first as (
        select d.*, sum(octet_length(d.body)) over (order by d.id) - octet_length(d.body) as bytes_before
        from (select * from due order by id limit p_limit) d
      )
      select v_name, false, f.id, f.received_on, f.received_at, f.body, f.attempts, s.id, s.agency_id, s.tenant_id
      -- A name that the backend refused as taken belongs to another program's account. An event of another backend than
      -- the session's belongs to the session's former server.
      from first f left join session s on s.name = v_name and s.last_error is distinct from 'session_name_taken'
        and (f.backend is null or f.backend = s.backend)
      where f.bytes_before < p_max_bytes - v_bytes order by f.id
    loop
      v_bytes := v_bytes + octet_length(body);
      return next;
    end loop;
  end loop;
end
$$;

-- Lists up to `p_limit` sessions with unapplied events, in the order of their names, from the name `p_from` on. It
-- jumps along the index from one session to the next, so a session costs the same however many events it has waiting.
-- `is_due` is false while all events of the session wait to be tried again.
create or replace function sessions_with_events(p_from text, p_limit integer)
returns table (name text, is_due boolean) language sql stable set enable_seqscan = off as $$
  with recursive waiting as (
    (select e.session_name, 1 as place from backend_event e
      where e.applied_at is null and e.session_name >= p_from order by e.session_name limit 1)
    union all
    select next.session_name, w.place + 1 from waiting w cross join lateral (
      select e.session_name from backend_event e
      where e.applied_at is null and e.session_name > w.session_name order by e.session_name limit 1) next
    where w.place < p_limit
  )
  -- With exists, a plan of a quiet time would read the whole backlog after an outage; with limits it cannot.
  select w.session_name, (select true from backend_event e
      where e.session_name = w.session_name and e.applied_at is null and e.retry_at is null and e.parked_at is null
      limit 1) is true
    or (select true from backend_event e
      where e.session_name = w.session_name and e.applied_at is null and e.retry_at <= clock_timestamp()
        and e.parked_at is null
      limit 1) is true
  from waiting w
$$;
