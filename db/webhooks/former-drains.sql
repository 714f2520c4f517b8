-- The drains of processes of the previous release, while they are being replaced; a migration of the next release drops
-- them. Such a process drains an endpoint only while no process of this release has its shard. The settings of these
-- functions make the planner find rows along indexes, because plans are made once and kept.

-- Answers how the drain with this token may attempt the endpoint now. `state` is 'taken' when another drain has the
-- lease or a process of this release has the shard, and 'closed' when the endpoint is not active or its agency is
-- suspended. `is_sure` is true when our lease lasts for at least half its time. The endpoint gets `at_once` attempts at
-- a time. While the endpoint does well, as many again may be claimed `ahead`, so that the next post need not wait for
-- the next claim. Nothing is claimed before `hold_until`, and no more than `slots` if the endpoint has a rate.
create or replace function drain_state(p_endpoint text, p_token uuid, p_drain_ms integer, p_now timestamptz)
returns table (state text, held boolean, is_sure boolean, url text, secret bytea, old_secrets jsonb, headers bytea,
  timeout_ms integer, ladder bigint[], at_once integer, ahead integer, hold_until timestamptz, is_probe boolean,
  probes integer, rate_per_second integer, slot_at timestamptz, slots integer)
language sql stable as $$
  select case when n.drained_until > clock_timestamp() and n.token is distinct from p_token
        or exists (select from delivery_shard s where s.shard = shard_of(e.id) and is_live_worker(s.owner)) then 'taken'
      when e.status = 'active' and e.deleted_at is null and not is_suspended(a.status) then 'open' else 'closed' end,
    coalesce(n.token = p_token, false),
    coalesce(n.token = p_token
      and n.drained_until > clock_timestamp() + p_drain_ms / 2 * interval '1 millisecond', false),
    e.url, e.secret, e.old_secrets, e.headers, e.timeout_ms, e.retry_ladder_ms, allowed.at_once,
    case when h.breaker = 'closed' and h.concurrency is null and e.rate_per_second is null and e.ordering <> 'fifo'
      then allowed.at_once else 0 end,
    case when allowed.hold_until > p_now then allowed.hold_until end,
    h.breaker = 'open', h.probes, e.rate_per_second, rate.slot_at,
    floor(extract(epoch from p_now - rate.slot_at) * e.rate_per_second)::integer + 1
  from endpoint e join endpoint_drain n on n.endpoint_id = e.id join endpoint_health h on h.endpoint_id = e.id
    join agency a on a.id = e.agency_id
    -- Unused slots are saved up for a tenth of a second only, so that an idle endpoint gets no burst.
    cross join lateral (select case when e.rate_per_second is not null
      then greatest(h.next_slot_at, p_now - interval '100 milliseconds') end as slot_at) rate
    cross join lateral (select
      case when h.breaker = 'open' or e.ordering = 'fifo' then 1 else least(e.concurrency, h.concurrency) end
        as at_once,
      greatest(h.throttled_until, case when h.breaker = 'open' then h.probe_at end, rate.slot_at) as hold_until) allowed
  where e.id = p_endpoint
$$;

-- Takes the lease of the endpoint's drain, or extends ours. False when another drain has the lease, or when a process
-- of this release has the shard. The lock keeps such a process from taking the shard before it can see the lease
-- (`keep_shards`); the second statement sees a process that has taken it before the lock.
create or replace function take_lease(p_endpoint text, p_token uuid, p_drain_ms integer)
returns boolean language plpgsql as $$
begin
  perform from delivery_shard s where s.shard = shard_of(p_endpoint) for share;
  if exists (select from delivery_shard s where s.shard = shard_of(p_endpoint) and is_live_worker(s.owner)) then
    return false;
  end if;
  update endpoint_drain set token = p_token,
    drained_until = clock_timestamp() + p_drain_ms * interval '1 millisecond'
    where endpoint_id = p_endpoint
      and (token = p_token or drained_until is null or drained_until < clock_timestamp());
  return found;
end
$$;

-- Chooses which of the first ten heads an open breaker lets go as its probe: the one that is due longest, or a
-- different one each time when none is due. Otherwise an event that its receiver never accepts could be the only probe,
-- and the breaker might never close.
create or replace function probe_place(p_endpoint text, p_probes integer, p_now timestamptz)
returns integer language plpgsql stable as $$
begin
  return (
    select case when min(first.next_attempt_at) <= p_now then 0 else p_probes % greatest(count(*), 1) end
    from (select d.next_attempt_at from first_heads(p_endpoint, 10000) d
      order by d.next_attempt_at, d.id limit 10) first);
end
$$;

-- Leases heads that are due by `p_until`, after skipping the first `p_skip`. Only the drain that holds the endpoint's
-- lease claims, so a delivery that another drain has leased was left by a crash and is claimed again.
create or replace function claim_heads(p_endpoint text, p_token uuid, p_limit integer, p_skip integer,
  p_until timestamptz, p_lease_ms integer)
returns table (delivery_id text, event_id text, body text, attempts integer, ladder_step integer, due_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  -- A variable matches no partial index, so the planner takes the index of the ids.
  v_pending text := 'pending';
begin
  return query
  with due as (
    select d.id from delivery d
    where d.id = any(array(select h.id from first_heads(p_endpoint, 10000) h
        where h.next_attempt_at <= p_until
          and (h.leased_until is null or h.leased_until < clock_timestamp() or h.lease_token <> p_token)
        order by h.next_attempt_at, h.id limit p_limit offset p_skip))
      and d.status = v_pending and is_lane_head(d.endpoint_id, d.lane, d.place, d.out_of_order)
    for update of d skip locked
  ), leased as (
    update delivery d set lease_token = p_token,
      leased_until = clock_timestamp() + p_lease_ms * interval '1 millisecond'
    from due where d.id = due.id
    returning d.id, d.event_id, d.event_created_at, d.attempts, d.ladder_step, d.next_attempt_at
  )
  select l.id::text, l.event_id, e.body, l.attempts, l.ladder_step, l.next_attempt_at
  from leased l join event e on e.created_at = l.event_created_at and e.id = l.event_id
  order by l.id;
end
$$;

-- Answers a drain the endpoint as it is now, and claims at most `p_room` due heads. The lease is taken only when a head
-- is due, and given back when the drain has nothing left (`p_ends`); `next_at` then says when the next head is due. The
-- functions above run with the planner settings of this one.
create or replace function drain_claim(p_endpoint text, p_token uuid, p_in_flight integer, p_room integer,
  p_ends boolean, p_lease_ms integer, p_drain_ms integer, p_now timestamptz)
returns table (state text, held boolean, next_at timestamptz, url text, secret bytea, old_secrets jsonb, headers bytea,
  timeout_ms integer, ladder bigint[], at_once integer, ahead integer, hold_until timestamptz, delivery_id text,
  event_id text, body text, attempts integer, ladder_step integer, probe text)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off as $$
#variable_conflict use_column
declare
  s record;
  v_limit integer := 0;
  v_held boolean;
  v_hold timestamptz;
  v_slot timestamptz;
  v_until timestamptz;
  v_next timestamptz;
  v_claimed integer := 0;
begin
  select * into s from drain_state(p_endpoint, p_token, p_drain_ms, p_now);
  if not found or s.state = 'taken' then
    -- The owner of the shard waits until a drain that has nothing in flight any more gives the endpoint back.
    if p_in_flight = 0 then
      update endpoint_drain set token = null, drained_until = null where endpoint_id = p_endpoint and token = p_token;
    end if;
    state := coalesce(s.state, 'closed'); held := false; return next; return;
  end if;
  v_held := s.held;
  v_hold := s.hold_until;
  -- An open breaker may probe with a head that is not due yet.
  v_until := case when s.is_probe then 'infinity' else p_now end;
  if s.state = 'open' and v_hold is null then
    v_limit := least(p_room, s.at_once + s.ahead - p_in_flight, s.slots);
  end if;

  if v_limit > 0 and not s.is_sure then
    if not exists (select 1 from first_heads(p_endpoint, 10000) d where d.next_attempt_at <= v_until) then
      v_limit := 0;
    elsif take_lease(p_endpoint, p_token, p_drain_ms) then
      v_held := true;
    else
      state := 'taken'; held := false; return next; return;
    end if;
  end if;

  if v_limit > 0 then
    return query
    select null::text, null::boolean, null::timestamptz, null::text, null::bytea, null::jsonb, null::bytea,
      null::integer, null::bigint[], null::integer, null::integer, null::timestamptz, c.delivery_id, c.event_id, c.body,
      c.attempts, c.ladder_step, case when s.is_probe then case when c.due_at <= p_now then 'due' else 'early' end end
    from claim_heads(p_endpoint, p_token, v_limit,
      case when s.is_probe then probe_place(p_endpoint, s.probes, p_now) else 0 end, v_until, p_lease_ms) c;
    get diagnostics v_claimed = row_count;
    if s.rate_per_second is not null and v_claimed > 0 then
      v_slot := s.slot_at + v_claimed * interval '1 second' / s.rate_per_second;
      update endpoint_health set next_slot_at = v_slot where endpoint_id = p_endpoint;
      if v_slot > p_now then v_hold := v_slot; end if;
    end if;
  end if;

  if p_ends and v_claimed = 0 then
    if v_held then
      update endpoint_drain set token = null, drained_until = null where endpoint_id = p_endpoint and token = p_token;
      v_held := false;
    end if;
    v_next := next_delivery_at(p_endpoint);
  end if;
  return query select s.state, v_held, v_next, s.url, s.secret, s.old_secrets, s.headers, s.timeout_ms, s.ladder,
    s.at_once, s.ahead, v_hold, null::text, null::text, null::text, null::integer, null::integer, null::text;
end
$$;

-- Writes the results of attempts, each only under its lease, so a worker that slept past its lease changes nothing.
-- Returns what `note_attempts` returns, or 'health' when a delivery has used up its attempts.
create or replace function record_attempts(p_endpoint text, p_token uuid, p_now timestamptz, p_results jsonb)
returns text language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off as $$
declare
  v_shard smallint := shard_of(p_endpoint);
  v_ours jsonb;
begin
  -- The rows are locked in one order, because two of these could otherwise wait for each other.
  with locked as (
    select d.id, d.attempts from delivery d
    where d.id = any(array(select (r->>'id')::bigint from jsonb_array_elements(p_results) r))
      and d.lease_token = p_token and d.status = 'pending'
    order by d.lane collate "C", d.id for no key update
  )
  select jsonb_agg(r || jsonb_build_object('endpointId', p_endpoint, 'shard', v_shard, 'attempts', l.attempts))
  into v_ours from locked l join jsonb_array_elements(p_results) r on (r->>'id')::bigint = l.id;
  if v_ours is null then return null; end if;
  return (select w.noted->0->>'news' from write_results(array[v_shard], v_ours, p_now) w);
end
$$;

-- Makes a step of several drains in one statement: writes the results of their attempts and claims due heads. Each
-- drain gets one row without a delivery, with `changed` from its record and the state that `drain_claim` answers.
-- Endpoints are taken in a fixed order, because two of these statements could otherwise wait for each other.
create or replace function drain_steps(p_steps jsonb, p_lease_ms integer, p_drain_ms integer, p_now timestamptz)
returns table (place integer, changed text, state text, held boolean, next_at timestamptz, url text, secret bytea,
  old_secrets jsonb, headers bytea, timeout_ms integer, ladder bigint[], at_once integer, ahead integer,
  hold_until timestamptz, delivery_id text, event_id text, body text, attempts integer, ladder_step integer, probe text)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  s record;
  v_changed text;
begin
  -- A claim does not wait for the disk: a server that crashes and forgets a lease only repeats an attempt. The record
  -- of a result does wait.
  if not p_steps @? '$[*].results[*]' then perform set_config('synchronous_commit', 'off', true); end if;
  -- Steps that share a statement wait for a lock for a second at most. After that each is tried alone, so that no
  -- endpoint waits for another endpoint's lock.
  if jsonb_array_length(p_steps) > 1 then perform set_config('lock_timeout', '1000', true); end if;
  for s in
    select * from jsonb_to_recordset(p_steps) as r(place integer, "endpointId" text, token uuid, results jsonb,
      "inFlight" integer, room integer, ends boolean)
    order by "endpointId" collate "C"
  loop
    v_changed := null;
    if jsonb_array_length(s.results) > 0 then
      v_changed := record_attempts(s."endpointId", s.token, p_now, s.results);
    end if;
    return query select s.place, case when c.state is not null then v_changed end, c.*
      from drain_claim(s."endpointId", s.token, s."inFlight", s.room, s.ends, p_lease_ms, p_drain_ms, p_now) c;
  end loop;
end
$$;

-- Former processes make the next delivery of a lane ready, and search lanes that they missed. The present release needs
-- neither: a head is a delivery without an older one of its lane.
create or replace function promote_lanes(p_endpoint text, p_lanes text[]) returns void language sql as $$
$$;

create or replace function repair_lanes(p_endpoint text, p_lane text, p_limit integer)
returns table (endpoint_id text, lane text, repaired text[]) language sql as $$
  select null::text, null::text, '{}'::text[]
$$;
