-- Answers how endpoints may be attempted now. `is_open` is false when the endpoint is not active or its agency is
-- suspended; `former_until` is set while a process of a former release drains the endpoint. `withdrawn` is another one
-- after deliveries of the endpoint have ended without an attempt.
drop function if exists read_shard_endpoints(text[]);
create or replace function read_shard_endpoints(p_ids text[])
returns table (id text, owner text, url text, secret bytea, old_secrets jsonb, headers bytea, timeout_ms integer,
  ladder bigint[], ordering text, concurrency integer, rate_per_second integer, is_open boolean, breaker text,
  probes integer, probe_at timestamptz, slowed_to integer, throttled_until timestamptz, former_until timestamptz,
  withdrawn text)
language sql stable set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select e.id,
    e.agency_id || case when cardinality(e.tenant_ids) = 1 then '/' || e.tenant_ids[1] else '' end,
    e.url, e.secret, e.old_secrets, e.headers, e.timeout_ms, e.retry_ladder_ms, e.ordering, e.concurrency,
    e.rate_per_second, e.status = 'active' and not is_suspended(a.status), h.breaker, h.probes, h.probe_at,
    h.concurrency, h.throttled_until, case when n.drained_until > clock_timestamp() then n.drained_until end,
    e.withdrawn_txid::text
  from unnest(p_ids) as asked(id) join endpoint e on e.id = asked.id join endpoint_health h on h.endpoint_id = e.id
    join agency a on a.id = e.agency_id left join endpoint_drain n on n.endpoint_id = e.id
  where e.deleted_at is null
$$;
