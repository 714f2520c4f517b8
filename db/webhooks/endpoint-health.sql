-- The results of attempts change the health of an endpoint. An endpoint that answers well costs one read and no write.

-- True when most of the last attempts have failed: of at most a hundred attempts within five minutes there are at least
-- twenty, and 70 % of them failed.
create or replace function mostly_fails(p_endpoint text, p_now timestamptz, p_since timestamptz)
returns boolean language sql stable set enable_seqscan = off as $$
  select count(*) >= 20 and count(*) filter (where class <> 'delivered') >= 0.7 * count(*)
  from (
    select class from delivery_attempt
    where endpoint_id = p_endpoint and at > greatest(p_now - interval '5 minutes', p_since)
    order by at desc limit 100
  ) latest where class <> 'throttled'
$$;

-- Answers the pause before the next probe after this many failed probes: 30 s, 1 m, 2 m … 15 m.
create or replace function probe_pause(p_probes integer) returns interval language sql immutable as $$
  select least(interval '30 seconds' * power(2, least(p_probes, 10)), interval '15 minutes')
$$;

-- Adds attempts that were recorded together to the endpoint's health. `p_trailing` is how many have failed since the
-- last delivered one; `p_error` is the class of the last attempt if it failed; `p_probe` is the result of an open
-- breaker's attempt. Returns 'state' when the endpoint is attempted in another way from now on, 'health' when it has
-- begun or ceased to fail, else null.
create or replace function note_attempts(p_endpoint text, p_now timestamptz, p_delivered integer, p_counted integer,
  p_trailing integer, p_error text, p_slows boolean, p_rests_until timestamptz, p_probe text, p_gone boolean)
returns text language plpgsql set enable_seqscan = off as $$
declare
  v_endpoint record;
  h endpoint_health;
  n endpoint_health;
  v_disabled text;
begin
  select * into h from endpoint_health where endpoint_id = p_endpoint;
  if p_error is null and p_counted = 0 and p_rests_until is null and h.last_error is null and h.failing_since is null
    and h.breaker = 'closed' and h.concurrency is null then return null; end if;

  -- The endpoint is locked before its health, in the order of transactions that decide about endpoints.
  select e.status, case e.ordering when 'fifo' then 1 else e.concurrency end as concurrency into v_endpoint
    from endpoint e where e.id = p_endpoint for no key update;
  select * into h from endpoint_health where endpoint_id = p_endpoint for update;
  n := h;
  n.last_error := p_error;
  n.throttled_until := greatest(h.throttled_until, p_rests_until);
  if p_delivered > 0 then
    n.consecutive_failures := p_trailing;
    n.failing_since := null;
  else
    n.consecutive_failures := h.consecutive_failures + p_counted;
  end if;
  if p_counted > 0 then n.last_failure_at := p_now; end if;
  if n.consecutive_failures > 0 then n.failing_since := coalesce(n.failing_since, p_now); end if;

  if p_slows then
    n.concurrency := greatest(1, coalesce(h.concurrency, v_endpoint.concurrency) / 2);
  elsif p_delivered > 0 and p_counted = 0 and h.breaker <> 'open' then
    n.concurrency := case when h.concurrency * 2 < v_endpoint.concurrency then h.concurrency * 2 end;
  end if;

  if h.breaker = 'closed' and p_counted > 0
    and ((n.consecutive_failures >= 10 and n.failing_since <= p_now - interval '30 seconds')
      or mostly_fails(p_endpoint, p_now, coalesce(h.recovered_at, '-infinity'))) then
    n.breaker := 'open';
    n.probes := 0;
    n.probe_at := p_now + probe_pause(0);
  elsif h.breaker = 'half_open' and p_counted > 0 or h.breaker = 'open' and p_probe = 'failed' then
    n.breaker := 'open';
    n.probes := h.probes + 1;
    n.probe_at := p_now + probe_pause(n.probes);
  elsif h.breaker = 'open' and p_probe = 'delivered' then
    n.breaker := 'half_open';
    n.concurrency := 1;
  elsif h.breaker = 'half_open' and p_delivered > 0 and n.concurrency is null then
    n.breaker := 'closed';
    n.probes := 0;
    n.probe_at := null;
    n.recovered_at := p_now;
  end if;

  -- Five days without a success disable the endpoint. One bad night must not, so two failures before this one must be
  -- at least twelve hours apart.
  if p_gone then v_disabled := 'gone';
  elsif p_counted > 0 and n.failing_since <= p_now - interval '5 days'
    and h.last_failure_at >= n.failing_since + interval '12 hours' then v_disabled := 'failing_for_days';
  end if;
  if v_disabled is not null and v_endpoint.status = 'active' then
    update endpoint set status = 'disabled', disabled_reason = v_disabled, status_at = p_now where id = p_endpoint;
    insert into endpoint_history (endpoint_id, at, action, reason) values (p_endpoint, p_now, 'disabled', v_disabled);
  else
    v_disabled := null;
  end if;

  if n is distinct from h then
    update endpoint_health set (consecutive_failures, failing_since, last_failure_at, last_error, breaker, probe_at,
        probes, concurrency, throttled_until, recovered_at)
      = (n.consecutive_failures, n.failing_since, n.last_failure_at, n.last_error, n.breaker, n.probe_at, n.probes,
        n.concurrency, n.throttled_until, n.recovered_at)
      where endpoint_id = p_endpoint;
  end if;
  return case when v_disabled is not null or n.breaker <> h.breaker then 'state'
    when (n.failing_since is null) <> (h.failing_since is null) then 'health' end;
end
$$;
