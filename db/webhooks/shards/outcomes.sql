-- Writes the results of attempts of many endpoints, each only while the process still has the endpoint's shard. Answers
-- the deliveries that were refused, and the endpoints whose health was looked at with what has changed of it.
--
-- The shard's token is read and not locked. A process that takes the shard at the same moment may post once more what
-- was in flight here, which it may do anyway.
create or replace function write_outcomes(p_shards smallint[], p_tokens uuid[], p_results jsonb, p_now timestamptz)
returns jsonb language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_held smallint[] := array(select s.shard from unnest(p_shards, p_tokens) as ours(shard, token)
    join delivery_shard s on s.shard = ours.shard and s.token = ours.token);
  w record;
begin
  -- Results that share a statement wait for a lock for a second at most. After that each endpoint's are tried alone.
  if p_results @? '$[1]' then perform set_config('lock_timeout', '1000', true); end if;
  select * into w from write_results(v_held, p_results, p_now);
  if cardinality(w.written) = jsonb_array_length(p_results) then
    return jsonb_build_object('refused', '[]'::jsonb, 'noted', w.noted);
  end if;
  perform log_refused(v_held, p_results, w.written, p_now);
  return jsonb_build_object('noted', w.noted, 'refused',
    (select jsonb_agg(r->>'id') from jsonb_array_elements(p_results) r where (r->>'id')::bigint <> all(w.written)));
end
$$;

-- Writes the results of attempts at the endpoints of these shards. Answers which were written, and the endpoints whose
-- health was looked at with what has changed of it (as `note_attempts` does, and 'health' when a delivery has used up
-- its attempts).
create or replace function write_results(p_shards smallint[], p_results jsonb, p_now timestamptz, out written bigint[],
  out noted jsonb)
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
  set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v record;
  v_news text;
  -- The status is in a variable because a variable matches no partial index, so the planner always takes the index of
  -- the ids.
  v_pending text := 'pending';
begin
  written := '{}';
  noted := '[]';
  for v in
    with given as materialized (
      -- A trial that is answered with 410 fails, but does not disable its endpoint.
      select r.*, case when r.class = 'gone' then (
          select e.trial_of is not null
          from delivery d join event e on e.id = d.event_id and e.created_at = d.event_created_at
          where d.id = r.id limit 1) is true else false end as trial
      from jsonb_to_recordset(p_results) as r(place integer, id bigint, "endpointId" text, shard smallint,
        attempts integer, class text, status integer, charged boolean, climbs boolean, counts boolean, slows boolean,
        over boolean, probe boolean, "durationMs" integer, "connectMs" integer, "firstByteMs" integer, reused boolean,
        excerpt text, location text, "nextAttemptAt" timestamptz, "restsUntil" timestamptz)
      where r.shard = any(p_shards)
      order by r.id
    ), written as (
      update delivery d set attempts = d.attempts + g.charged::integer,
        ladder_step = d.ladder_step + g.climbs::integer,
        lease_token = null, leased_until = null,
        first_attempt_at = case when g.charged then coalesce(d.first_attempt_at, p_now) else d.first_attempt_at end,
        last_class = case when g.class = 'released' then d.last_class else g.class end,
        last_status = case when g.charged then g.status else d.last_status end,
        status = case when not g.over and not g.trial then 'pending'
          when g.class = 'delivered' then 'delivered' else 'failed' end,
        next_attempt_at = coalesce(g."nextAttemptAt", d.next_attempt_at),
        done_at = case when g.over or g.trial then p_now end
      -- A process that did not hear of its commit writes again, and must not count an attempt twice.
      from given g where d.id = g.id and d.status = v_pending and d.attempts = g.attempts
      returning d.id, d.endpoint_id, d.event_id, d.attempts, g.place, g.class, g.status, g.charged, g.counts, g.slows,
        g.over or g.trial as over, g.trial, g.probe, g."durationMs", g."connectMs", g."firstByteMs", g.reused,
        g.excerpt, g.location, g."restsUntil"
    ), logged as (
      insert into delivery_attempt (delivery_id, endpoint_id, event_id, number, at, class, status, duration_ms,
        response_excerpt, probe, connect_ms, first_byte_ms, reused_connection, location)
      select w.id, w.endpoint_id, w.event_id, w.attempts, p_now, w.class, w.status, w."durationMs", w.excerpt, w.probe,
        w."connectMs", w."firstByteMs", w.reused, w.location
      from written w where w.charged
    ), of_endpoint as (
      select w.endpoint_id, array_agg(w.id) as ids,
        count(*) filter (where class = 'delivered')::integer as delivered,
        count(*) filter (where counts)::integer as counted,
        count(*) filter (where counts and place > last_delivered)::integer as trailing,
        (array_agg(nullif(class, 'delivered') order by place desc) filter (where class <> 'released'))[1] as error,
        coalesce(bool_or(slows), false) as slows,
        max("restsUntil") as rests_until,
        (array_agg(case class when 'delivered' then 'delivered' else 'failed' end order by place)
          filter (where probe and (counts or class = 'delivered')))[1] as probe,
        coalesce(bool_or(class = 'gone' and not trial), false) as gone,
        coalesce(bool_or(over and class <> 'delivered'), false) as exhausted,
        coalesce(bool_or(class <> 'released'), false) as tried,
        bool_and(class = 'delivered') as does_well
      from (select *, coalesce(max(place) filter (where class = 'delivered') over (partition by endpoint_id), -1)
        as last_delivered from written) w
      group by w.endpoint_id
    )
    -- With exists, the planner may read the health of all endpoints; a value comes by its key.
    select o.*, not o.does_well or (select h.last_error is not null or h.failing_since is not null
        or h.breaker <> 'closed' or h.concurrency is not null
      from endpoint_health h where h.endpoint_id = o.endpoint_id) is true as is_noted
    from of_endpoint o order by o.endpoint_id collate "C"
  loop
    written := written || v.ids;
    continue when not v.is_noted or not v.tried;
    v_news := note_attempts(v.endpoint_id, p_now, v.delivered, v.counted, v.trailing, v.error, v.slows, v.rests_until,
      v.probe, v.gone);
    noted := noted || jsonb_build_object('endpointId', v.endpoint_id,
      'news', coalesce(v_news, case when v.exhausted then 'health' end));
  end loop;
end
$$;

-- Logs attempts whose delivery was cancelled or ended while they were made: the receiver has seen them. An attempt that
-- has been written before is not counted again.
create or replace function log_refused(p_shards smallint[], p_results jsonb, p_written bigint[], p_now timestamptz)
returns void language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  with given as (
    select r.* from jsonb_to_recordset(p_results) as r(id bigint, shard smallint, attempts integer, class text,
      status integer, charged boolean, probe boolean, "durationMs" integer, "connectMs" integer,
      "firstByteMs" integer, reused boolean, excerpt text, location text)
    where r.charged and r.id <> all(p_written)
      and r.shard = any(p_shards)
    order by r.id
  ), counted as (
    update delivery d set attempts = d.attempts + 1, last_class = g.class, last_status = g.status
    from given g where d.id = g.id and d.status <> 'pending' and d.attempts = g.attempts
    returning d.id, d.endpoint_id, d.event_id, d.attempts
  )
  insert into delivery_attempt (delivery_id, endpoint_id, event_id, number, at, class, status, duration_ms,
    response_excerpt, probe, connect_ms, first_byte_ms, reused_connection, location)
  select c.id, c.endpoint_id, c.event_id, c.attempts, p_now, g.class, g.status, g."durationMs", g.excerpt, g.probe,
    g."connectMs", g."firstByteMs", g.reused, g.location
  from counted c join given g on g.id = c.id;
end
$$;
