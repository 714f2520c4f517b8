-- The functions for `session_pace.release_at`, the time at which a session is due. Whoever makes a head ready makes its
-- session due in the same transaction, and tells the releaser of its own process after the commit.

-- Makes a session due at `p_at`, if it is not due earlier. It waits for nobody, because the caller holds a
-- conversation: if another transaction has locked the session, that transaction or the caller's own process looks at it
-- after its commit, and `find_missed_releases` finds what both have missed. Answers the session.
create or replace function make_due(p_session text, p_at timestamptz) returns text language plpgsql
  set enable_seqscan = off as $$
begin
  perform 1 from session_pace
  where session_id = p_session and (release_at is null or release_at > p_at) for no key update skip locked;
  if found then
    update session_pace set release_at = p_at where session_id = p_session;
  elsif not exists (select 1 from session_pace where session_id = p_session) then
    insert into session_pace (session_id, release_at) values (p_session, p_at) on conflict do nothing;
  end if;
  return p_session;
end
$$;

-- Writes when a session is due again. The caller holds its row.
create or replace function set_release_at(p_session text, p_at timestamptz) returns void language sql as $$
  update session_pace set release_at = p_at where session_id = p_session and release_at is distinct from p_at
$$;

-- Takes sessions that are due, the longest due first, for the calling process alone. The process has some seconds to
-- look at them; if it is gone by then, they are due again. Answers when the next session is due, and when the next
-- scheduled message is. At rest this reads the ends of two indexes and writes nothing.
create or replace function take_due_sessions(p_now timestamptz, p_limit integer) returns jsonb language plpgsql
  set enable_seqscan = off as $$
declare
  v_taken text[];
begin
  with due as (
    select session_id from session_pace where release_at <= p_now
    order by release_at limit p_limit for no key update skip locked
  ), at_once as materialized (
    select set_config('synchronous_commit', 'off', true)
  ), taken as (
    update session_pace p set release_at = p_now + interval '3 seconds' from due cross join at_once
    where p.session_id = due.session_id returning p.session_id
  )
  select array_agg(session_id) into v_taken from taken;
  return jsonb_build_object('sessions', coalesce(v_taken, '{}'),
    'nextAt', (select release_at from session_pace where release_at is not null order by release_at limit 1),
    'scheduledAt', (select scheduled_at from message where status = 'scheduled' order by scheduled_at limit 1));
end
$$;

-- Makes sessions due whose `release_at` does not tell the truth: it is null, or later than the rules that hold their
-- heads, although heads wait. It looks at `p_limit` sessions with ready heads after the session `p_after`, jumping
-- along the index. A look that was not needed does no harm. Answers how many it made due, and the last session that it
-- looked at; null when those were the last.
create or replace function find_missed_releases(p_after text, p_limit integer, p_now timestamptz) returns jsonb
  language plpgsql set enable_seqscan = off as $$
declare
  v_session text := p_after;
  v_due_at timestamptz;
  v_found integer := 0;
begin
  for looked in 1..p_limit loop
    select session_id into v_session from message
    where status = 'queued' and released_at is null and ready_at is not null and session_id > v_session
    order by session_id limit 1;
    if v_session is null then return jsonb_build_object('found', v_found, 'last', null); end if;
    select min(greatest(head.ready_at, head.held_until)) into v_due_at from session_queues() q cross join lateral (
      select m.ready_at, m.held_until from message m
      where m.session_id = v_session and m.lane = q.lane and m.bulk = q.bulk and m.status = 'queued'
        and m.released_at is null and m.ready_at is not null
      order by m.ready_at, m.id limit 1) head;
    continue when exists (select 1 from session_pace where session_id = v_session
      and release_at <= greatest(v_due_at, p_now) + interval '30 seconds');
    continue when not exists (select 1 from session s join agency a on a.id = s.agency_id
      where s.id = v_session and may_send(s.status, a.status));
    perform make_due(v_session, p_now);
    v_found := v_found + 1;
  end loop;
  return jsonb_build_object('found', v_found, 'last', v_session);
end
$$;
