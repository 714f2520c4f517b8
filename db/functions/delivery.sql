-- What every event to a dashboard pays for: one claim before its post and one record after it.

-- Heads of lanes that are due, leased for the attempt, and the endpoint as it is now. No row when this drain may not go
-- on: the endpoint is not active, its agency is suspended, or the drain's lease is somebody else's. One row without a
-- delivery when nothing is due. Who holds the drain is the only one to claim, so a lease of another drain is somebody's
-- crash: the row is claimed again.
create or replace function claim_deliveries(p_endpoint text, p_token uuid, p_in_flight integer, p_lease_ms integer, p_now timestamptz)
returns table (url text, secret bytea, timeout_ms integer, delivery_id text, event_id text, body text, attempts integer, lane text)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
begin
  -- A lease that a crashing server forgets only repeats an attempt, so nobody waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  return query
  with mine as (
    select e.id, e.url, e.secret, e.timeout_ms, e.concurrency
    from endpoint e join endpoint_drain n on n.endpoint_id = e.id join agency a on a.id = e.agency_id
    where e.id = p_endpoint and n.token = p_token and e.status = 'active' and a.status <> 'suspended'
  ), due as (
    select d.id from delivery d
    where d.endpoint_id = p_endpoint and d.status = 'pending' and d.ready and d.next_attempt_at <= p_now
      and (d.leased_until is null or d.leased_until < clock_timestamp() or d.lease_token <> p_token)
      and exists (select 1 from mine)
    order by d.next_attempt_at, d.id limit (select greatest(concurrency - p_in_flight, 0) from mine)
    for update of d skip locked
  ), leased as (
    update delivery d set lease_token = p_token, leased_until = clock_timestamp() + p_lease_ms * interval '1 millisecond',
      first_attempt_at = coalesce(d.first_attempt_at, p_now)
    from due where d.id = due.id
    returning d.id, d.event_id, d.event_created_at, d.attempts, d.lane
  ), told as (
    select l.id, l.event_id, e.body, l.attempts, l.lane
    from leased l join event e on e.created_at = l.event_created_at and e.id = l.event_id
  )
  select m.url, m.secret, m.timeout_ms, t.id::text, t.event_id, t.body, t.attempts, t.lane
  from mine m left join told t on true order by t.id;
end
$$;

-- Writes what came of an attempt, under its lease: a worker that was paused past it changes nothing. A delivery that is
-- over makes the next of its lane ready, in a statement of its own so that it sees what was committed meanwhile.
create or replace function record_attempt(p_endpoint text, p_token uuid, p_now timestamptz, p jsonb)
returns void language plpgsql set enable_seqscan = off as $$
declare
  v_class text := p->>'class';
  v_next timestamptz := (p->>'nextAttemptAt')::timestamptz;
  v_over boolean := v_class = 'delivered' or v_next is null;
  v_error text := nullif(v_class, 'delivered');
  v_number integer;
begin
  update delivery set attempts = attempts + 1, lease_token = null, leased_until = null,
    last_class = v_class, last_status = (p->>'status')::integer,
    status = case when not v_over then 'pending' when v_class = 'delivered' then 'delivered' else 'failed' end,
    next_attempt_at = coalesce(v_next, next_attempt_at), done_at = case when v_over then p_now end
  where id = (p->>'deliveryId')::bigint and lease_token = p_token and status = 'pending'
  returning attempts into v_number;
  if v_number is null then return; end if;

  insert into delivery_attempt (delivery_id, endpoint_id, event_id, number, at, class, status, duration_ms, response_excerpt)
  values ((p->>'deliveryId')::bigint, p_endpoint, p->>'eventId', v_number, p_now, v_class, (p->>'status')::integer,
    (p->>'durationMs')::integer, p->>'excerpt');

  if v_over then
    update delivery set ready = true where id = (
      select min(id) from delivery where endpoint_id = p_endpoint and lane = p->>'lane' and status = 'pending');
  end if;

  update endpoint_health set last_error = v_error,
    failing_since = case when v_error is null then null else coalesce(failing_since, p_now) end
  where endpoint_id = p_endpoint and (last_error is distinct from v_error or (failing_since is null) <> (v_error is null));
  -- A receiver that says 410 wants no more; its events stay and can be recovered.
  if v_class = 'gone' then
    update endpoint set status = 'disabled', disabled_reason = 'gone' where id = p_endpoint and status = 'active';
  end if;
end
$$;
