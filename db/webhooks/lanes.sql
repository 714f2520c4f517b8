-- The lanes of an endpoint's deliveries: which delivery of a lane is next, when it is due, and what repairs a lane that
-- stands still. As in `delivery.sql`, the settings make the planner find rows one by one along indexes.

-- Makes the first pending delivery of each lane ready; a delivery that was passed no longer counts in its lane. The
-- first is read under its lock: if another transaction has just cancelled it or sent it out of order, the delivery
-- behind it becomes ready.
create or replace function promote_lanes(p_endpoint text, p_lanes text[])
returns void language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set plan_cache_mode = force_generic_plan as $$
begin
  with head as (
    select first.id, first.ready from (select lane from unnest(p_lanes) as l(lane) order by lane collate "C") l
      cross join lateral (
        select d.id, d.ready from delivery d
        where d.endpoint_id = p_endpoint and d.lane = l.lane and d.status = 'pending' and not d.out_of_order
        order by d.place limit 1 for no key update) first
  )
  -- The lock has made sure of the other conditions. If they were repeated here, the planner could take another index
  -- than that of the ids.
  update delivery d set ready = true from head where d.id = head.id and not head.ready;
end
$$;

-- Answers when the endpoint's next delivery could be attempted; null when nothing is pending or the endpoint gets no
-- attempts now. Only callers that do not drain the endpoint may ask, because a delivery that is leased now counts as
-- left by a dead drain.
create or replace function next_delivery_at(p_endpoint text)
returns timestamptz language plpgsql stable set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_material = off set plan_cache_mode = force_generic_plan as $$
declare
  v_first timestamptz;
  v record;
begin
  select d.next_attempt_at into v_first from delivery d
    where d.endpoint_id = p_endpoint and d.status = 'pending' and d.ready
      and (d.out_of_order or not exists (select 1 from delivery o where o.endpoint_id = p_endpoint and o.lane = d.lane
        and o.status = 'pending' and o.place < d.place and not o.out_of_order))
    order by d.next_attempt_at, d.id limit 1;
  if v_first is null then return null; end if;
  select e.rate_per_second, h.breaker, h.probe_at, h.throttled_until, h.next_slot_at into v
    from endpoint e join endpoint_health h on h.endpoint_id = e.id join agency a on a.id = e.agency_id
    where e.id = p_endpoint and e.status = 'active' and e.deleted_at is null and not is_suspended(a.status);
  if not found then return null; end if;
  return case v.breaker when 'open' then greatest(v.probe_at, v.throttled_until)
    else greatest(v_first, v.throttled_until, case when v.rate_per_second is not null then v.next_slot_at end) end;
end
$$;

-- Lets a lane go on whose head has failed for a quarter of an hour while the endpoint took other deliveries: the head
-- is marked and is no longer the lane's head. Returns the endpoints.
create or replace function pass_failing_heads(p_now timestamptz, p_limit integer)
returns setof text language plpgsql set enable_seqscan = off as $$
declare
  v record;
begin
  for v in
    with stuck as (
      select d.id from delivery d join endpoint e on e.id = d.endpoint_id join endpoint_health h on h.endpoint_id = e.id
      where d.status = 'pending' and d.ready and d.attempts > 0 and not d.out_of_order and d.lease_token is null
        and d.first_attempt_at <= p_now - interval '15 minutes'
        and e.status = 'active' and h.breaker = 'closed'
        and (h.failing_since is null or h.failing_since > d.first_attempt_at)
        and exists (select 1 from delivery_attempt t where t.endpoint_id = d.endpoint_id and t.class = 'delivered'
          and t.at > d.first_attempt_at)
        and exists (select 1 from delivery b where b.endpoint_id = d.endpoint_id and b.lane = d.lane
          and b.status = 'pending' and not b.ready)
      order by d.first_attempt_at limit p_limit
      for update of d skip locked
    ), passed as (
      update delivery d set out_of_order = true from stuck where d.id = stuck.id returning d.endpoint_id, d.lane
    )
    select endpoint_id, array_agg(distinct passed.lane) as lanes from passed group by endpoint_id
  loop
    perform promote_lanes(v.endpoint_id, v.lanes);
    return next v.endpoint_id;
  end loop;
end
$$;

-- Looks at `p_limit` lanes with a pending delivery, after the lane that was looked at last, and makes the first
-- delivery of a lane ready if its promotion was missed. Returns the endpoints of repaired lanes, and the lane at which
-- it stopped; null when it has looked at the last lane.
create or replace function repair_lanes(p_endpoint text, p_lane text, p_limit integer)
returns table (endpoint_id text, lane text, repaired text[]) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_endpoint text := p_endpoint;
  v_lane text := p_lane;
  v_repaired text[] := '{}';
  v record;
begin
  for i in 1..p_limit loop
    select d.endpoint_id, d.lane into v from delivery d
      where d.status = 'pending' and (d.endpoint_id, d.lane) > (v_endpoint, v_lane)
      order by d.endpoint_id, d.lane limit 1;
    if not found then
      v_endpoint := null; v_lane := null;
      exit;
    end if;
    v_endpoint := v.endpoint_id; v_lane := v.lane;
    if (select not d.ready from delivery d
        where d.endpoint_id = v_endpoint and d.lane = v_lane and d.status = 'pending' and not d.out_of_order
        order by d.place limit 1) then
      perform promote_lanes(v_endpoint, array[v_lane]);
      v_repaired := v_repaired || v_endpoint;
    end if;
  end loop;
  return query select v_endpoint, v_lane, v_repaired;
end
$$;
