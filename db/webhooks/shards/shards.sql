-- Endpoints belong to 256 shards, and each shard to one process at a time, which reads its deliveries and posts them.

-- Answers the shard of an endpoint. Indexes are built on this function, so it must never change; `shard-of.ts` says the
-- same.
create or replace function shard_of(p_endpoint text) returns smallint language sql immutable strict parallel safe as $$
  select get_byte(sha256(convert_to(p_endpoint, 'UTF8')), 0)::smallint
$$;

-- Says whether the process still has its lease.
create or replace function is_live_worker(p_worker uuid) returns boolean language sql stable as $$
  select exists (select from delivery_worker w where w.id = p_worker and w.leased_until > clock_timestamp())
$$;

-- Renews the lease of a process, gives back some of its shards, and takes those of the wanted ones that nobody has. All
-- processes do this one after the other, so that a lease cannot be renewed while another process takes its shards. A
-- server that crashes and forgets a token only makes attempts repeat, so nothing waits for the disk.
create or replace function keep_shards(p_worker uuid, p_process bigint, p_wants smallint[], p_gives_back smallint[],
  p_lease_ms integer)
returns jsonb language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(7215004);
  -- The lease of a process that is gone need not be waited for: it has renewed nothing for a while, and its connection
  -- and advisory lock are gone. A process whose connection is lost counts on no more than that while
  -- (`activities/webhooks/shards/leases.ts`).
  delete from delivery_worker w where w.leased_until < clock_timestamp() - interval '1 minute'
    or (w.id <> p_worker and w.process <> p_process and w.renewed_at < clock_timestamp() - interval '1500 milliseconds'
      and pg_try_advisory_xact_lock(w.process));
  insert into delivery_worker as w (id, process, renewed_at, leased_until)
    values (p_worker, p_process, clock_timestamp(), clock_timestamp() + p_lease_ms * interval '1 millisecond')
    on conflict (id) do update set renewed_at = excluded.renewed_at, leased_until = excluded.leased_until;
  update delivery_shard s set owner = null, token = null
    where s.shard = any(p_gives_back) and s.owner = p_worker;
  -- A shard whose row is locked is taken at the next look: a drain of a former release is beginning there, and is seen
  -- by then (`take_lease`).
  update delivery_shard s set owner = p_worker, token = gen_random_uuid()
    where s.shard = any(array(select w.shard from delivery_shard w where w.shard = any(p_wants) for update skip locked))
      and (s.owner is null or not is_live_worker(s.owner));
  return (
    with live as materialized (select w.id from delivery_worker w where w.leased_until > clock_timestamp())
    select jsonb_build_object(
      'held', coalesce(jsonb_agg(jsonb_build_object('shard', s.shard, 'token', s.token) order by s.shard)
        filter (where s.owner = p_worker), '[]'),
      'free', coalesce(jsonb_agg(s.shard order by s.shard) filter (where l.id is null), '[]'),
      'workers', (select jsonb_agg(live.id order by live.id) from live))
    from delivery_shard s left join live l on l.id = s.owner);
end
$$;

-- Gives back all shards of a process that ends.
create or replace function leave_shards(p_worker uuid) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7215004);
  update delivery_shard set owner = null, token = null where owner = p_worker;
  delete from delivery_worker where id = p_worker;
end
$$;
