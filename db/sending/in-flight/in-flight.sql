-- Lists the calls of a session that may still be under way: claimed not long ago, and neither answered nor known to be
-- lost or of a process that is gone.
create or replace function sends_in_flight(p_session text, p_now timestamptz)
returns table (id text, claim_owner bigint) language sql stable as $$
  select m.id, m.claim_owner from message m
  where m.session_id = p_session and m.status in ('queued', 'sending') and m.released_at is not null
    and m.status = 'sending' and m.lost_at is null and m.owner_gone_at is null
    and m.claimed_at > p_now - interval '6 minutes'
$$;

-- True while a process with this number runs: it holds the number's advisory lock.
create or replace function owner_lives(p_owner bigint) returns boolean language sql stable as $$
  select exists (select 1 from pg_locks l where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.classid = ((p_owner >> 32) & 4294967295)::oid and l.objid = (p_owner & 4294967295)::oid)
$$;

-- True when one more send of the session may begin. The caller begins it in the same transaction: until its end the
-- lock keeps other claims of the session from counting, so that all processes together keep to the number.
create or replace function has_room_for_send(p_session text, p_now timestamptz) returns boolean language plpgsql
  set enable_seqscan = off as $$
declare
  v_limit constant integer := (select sends_per_session from pace_default where one);
begin
  perform pg_advisory_xact_lock(hashtextextended('sends/' || p_session, 0));
  if v_limit > (select count(*) from sends_in_flight(p_session, p_now)) then return true; end if;
  -- The claims of a process that was killed count no more, so they hold up nobody until they are settled.
  return v_limit > (select count(*) from sends_in_flight(p_session, p_now) s
    where s.claim_owner is null or owner_lives(s.claim_owner));
end
$$;
