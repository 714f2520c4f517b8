-- The lanes of an endpoint's deliveries. Owners of shards keep them in memory; here is what others ask about them.

-- Says whether a pending delivery is the head of its lane, which is attempted as soon as it is due. A delivery that was
-- passed or sent ahead no longer counts in its lane.
create or replace function is_lane_head(p_endpoint text, p_lane text, p_place bigint, p_out_of_order boolean)
returns boolean language sql stable as $$
  select p_out_of_order or not exists (select from delivery o where o.endpoint_id = p_endpoint and o.lane = p_lane
    and o.status = 'pending' and o.place < p_place and not o.out_of_order)
$$;

-- Answers the heads of lanes among the first pending deliveries of an endpoint.
create or replace function first_heads(p_endpoint text, p_limit integer)
returns setof delivery language sql stable set enable_seqscan = off set enable_bitmapscan = off as $$
  with first as materialized (
    select d.* from delivery d where d.endpoint_id = p_endpoint and d.status = 'pending' order by d.place limit p_limit
  )
  select * from first f where f.out_of_order
  union all
  (select distinct on (f.lane) * from first f where not f.out_of_order order by f.lane, f.place)
$$;

-- Answers when the endpoint's next delivery could be attempted; null when nothing is pending or the endpoint gets no
-- attempts now.
create or replace function next_delivery_at(p_endpoint text)
returns timestamptz language plpgsql stable set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_material = off as $$
declare
  v_first timestamptz;
  v record;
begin
  select min(d.next_attempt_at) into v_first from first_heads(p_endpoint, 1000) d;
  if v_first is null then return null; end if;
  select e.rate_per_second, h.breaker, h.probe_at, h.throttled_until, h.next_slot_at into v
    from endpoint e join endpoint_health h on h.endpoint_id = e.id join agency a on a.id = e.agency_id
    where e.id = p_endpoint and e.status = 'active' and e.deleted_at is null and not is_suspended(a.status);
  if not found then return null; end if;
  return case v.breaker when 'open' then greatest(v.probe_at, v.throttled_until)
    else greatest(v_first, v.throttled_until, case when v.rate_per_second is not null then v.next_slot_at end) end;
end
$$;

-- Answers when a delivery is attempted that is due at `p_due`: never in the past, and not before an open breaker's
-- probe. Null while the endpoint gets no attempts.
create or replace function attempt_at(p_endpoint text, p_due timestamptz, p_now timestamptz)
returns timestamptz language sql stable as $$
  select greatest(p_due, p_now, h.throttled_until, case when h.breaker = 'open' then h.probe_at end)
  from endpoint e join endpoint_health h on h.endpoint_id = e.id join agency a on a.id = e.agency_id
  where e.id = p_endpoint and e.status = 'active' and e.deleted_at is null and not is_suspended(a.status)
$$;

-- Lets a lane go on whose head has failed for a quarter of an hour while the endpoint took other deliveries: the head
-- is marked and is no longer the lane's head. Returns the endpoints.
create or replace function pass_failing_heads(p_now timestamptz, p_limit integer)
returns setof text language sql set enable_seqscan = off as $$
  with stuck as (
    select d.id from delivery d join endpoint e on e.id = d.endpoint_id join endpoint_health h on h.endpoint_id = e.id
    where d.status = 'pending' and d.attempts > 0 and not d.out_of_order
      and (d.leased_until is null or d.leased_until < clock_timestamp())
      and d.first_attempt_at <= p_now - interval '15 minutes'
      and e.status = 'active' and h.breaker = 'closed'
      and (h.failing_since is null or h.failing_since > d.first_attempt_at)
      and exists (select 1 from delivery_attempt t where t.endpoint_id = d.endpoint_id and t.class = 'delivered'
        and t.at > d.first_attempt_at)
      and exists (select 1 from delivery b where b.endpoint_id = d.endpoint_id and b.lane = d.lane
        and b.status = 'pending' and b.place > d.place and not b.out_of_order)
      and is_lane_head(d.endpoint_id, d.lane, d.place, d.out_of_order)
    order by d.first_attempt_at limit p_limit
    for update of d skip locked
  ), passed as (
    update delivery d set out_of_order = true from stuck where d.id = stuck.id returning d.endpoint_id
  )
  select distinct endpoint_id from passed
$$;
