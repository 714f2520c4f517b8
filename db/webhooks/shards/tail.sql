-- Statements by which an owner reads its shards. A cursor is a snapshot, and the next read shows all rows that the
-- snapshot could not see. So no committed row is missed or comes twice, however long other transactions take. The
-- functions are stable, so one read has one snapshot. The settings make the planner find rows along indexes, because
-- plans are kept.

-- Answers the pending deliveries of these shards that the snapshot of the cursor could not see. The order makes the
-- planner take the index of transactions, however many are pending.
create or replace function deliveries_since(p_cursor pg_snapshot, p_shards smallint[])
returns setof delivery language sql stable as $$
  (select d.* from delivery d
    where d.status = 'pending' and d.txid >= pg_snapshot_xmax(p_cursor) and shard_of(d.endpoint_id) = any(p_shards)
    order by d.txid)
  union all
  select late.* from pg_snapshot_xip(p_cursor) open(txid) cross join lateral (
    select d.* from delivery d
    where d.status = 'pending' and d.txid = open.txid and shard_of(d.endpoint_id) = any(p_shards)
    order by d.txid) late
$$;

-- Answers the endpoints of these shards that somebody has decided about since the cursor, some of them twice.
create or replace function endpoints_touched_since(p_cursor pg_snapshot, p_shards smallint[])
returns table (id text) language sql stable as $$
  (select e.id from endpoint e
    where e.touched_txid >= pg_snapshot_xmin(p_cursor) and not pg_visible_in_snapshot(e.touched_txid, p_cursor)
      and shard_of(e.id) = any(p_shards)
    order by e.touched_txid)
  union all
  (select h.endpoint_id from endpoint_health h
    where h.touched_txid >= pg_snapshot_xmin(p_cursor) and not pg_visible_in_snapshot(h.touched_txid, p_cursor)
      and shard_of(h.endpoint_id) = any(p_shards)
    order by h.touched_txid)
$$;

-- Answers what is new in the shards since their cursors: first a row with the next cursor and the endpoints that were
-- touched, then the deliveries in the order of their places. When more than `p_limit` are new it answers none of them
-- but the endpoints that have them, which are then read page by page: half of a lane must not be taken for all of it.
-- When at most `p_bodies` are new, the first delivery of each event has the event's body, if that is small: most bodies
-- are posted at once, and a statement of their own would cost as much as this one. The shards of each cursor come as
-- the text of an array, which is read in a moment; as JSON they took half of the time of this function.
create or replace function read_tail(p_cursors text[], p_shards text[], p_limit integer, p_bodies integer)
returns table (next_cursor text, touched text[], behind text[], id text, endpoint_id text, lane text, place float8,
  event_id text, event_created_at text, attempts integer, ladder_step integer, next_attempt_at timestamptz,
  out_of_order boolean, body text)
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_sort = off as $$
#variable_conflict use_column
declare
  v_shards smallint[];
  v_touched text[] := '{}';
  v_behind text[] := '{}';
  v_found delivery[] := '{}';
  v_new delivery[];
  v_is_whole boolean := true;
begin
  for i in 1..cardinality(p_cursors) loop
    v_shards := p_shards[i]::smallint[];
    v_touched := v_touched
      || array(select t.id from endpoints_touched_since(p_cursors[i]::pg_snapshot, v_shards) t);
    v_new := array(select d from deliveries_since(p_cursors[i]::pg_snapshot, v_shards) d limit p_limit + 1);
    v_found := v_found || v_new;
    v_is_whole := v_is_whole and cardinality(v_found) <= p_limit;
  end loop;
  if not v_is_whole then
    v_found := '{}';
    for i in 1..cardinality(p_cursors) loop
      v_shards := p_shards[i]::smallint[];
      v_behind := v_behind || array(select distinct d.endpoint_id
        from deliveries_since(p_cursors[i]::pg_snapshot, v_shards) d);
    end loop;
  end if;
  next_cursor := pg_current_snapshot()::text; touched := v_touched; behind := v_behind;
  return next;
  return query select null::text, null::text[], null::text[], d.id::text, d.endpoint_id, d.lane, d.place::float8,
    d.event_id, d.event_created_at::text, d.attempts, d.ladder_step, d.next_attempt_at, d.out_of_order,
    case when cardinality(v_found) <= p_bodies and d.event_id is distinct from lag(d.event_id) over (order by d.place)
      then (select e.body from event e where e.id = d.event_id and e.created_at = d.event_created_at
        and octet_length(e.body) <= 16384) end
  from unnest(v_found) d order by d.place;
end
$$;

-- Answers what a new owner of shards begins with: their endpoints that have pending deliveries, and the cursor.
create or replace function read_shards(p_shards smallint[])
returns table (next_cursor text, endpoints text[]) language sql stable set enable_seqscan = off as $$
  select pg_current_snapshot()::text, array(select e.id from endpoint e
    where shard_of(e.id) = any(p_shards) and e.deleted_at is null
      -- With exists, the planner may read all waiting deliveries; with a limit it cannot.
      and (select true from delivery d where d.endpoint_id = e.id and d.status = 'pending' limit 1) is true)
$$;

-- Answers pages of endpoints' pending deliveries, due or not, in the order of their places.
create or replace function read_pages(p_endpoints text[], p_after float8[], p_limits integer[])
returns setof delivery language sql stable set enable_seqscan = off set enable_bitmapscan = off
  set enable_sort = off as $$
  select page.* from unnest(p_endpoints, p_after, p_limits) as asked(endpoint_id, after, up_to) cross join lateral (
    select * from delivery d
    where d.endpoint_id = asked.endpoint_id and d.status = 'pending' and d.place > asked.after::bigint
    order by d.place limit asked.up_to) page
$$;

-- Answers the beginnings of lanes after a place, in the order of their places.
create or replace function read_lanes(p_endpoints text[], p_lanes text[], p_after float8[], p_limits integer[])
returns setof delivery language sql stable set enable_seqscan = off set enable_bitmapscan = off
  set enable_sort = off as $$
  select page.* from unnest(p_endpoints, p_lanes, p_after, p_limits) as asked(endpoint_id, lane, after, up_to)
  cross join lateral (
    select * from delivery d
    where d.endpoint_id = asked.endpoint_id and d.lane = asked.lane and d.status = 'pending' and not d.out_of_order
      and d.place > asked.after::bigint
    order by d.place limit asked.up_to) page
$$;

-- Answers attempted deliveries of these shards that come due after `p_after` and until `p_until`, by their due times.
-- The next reading goes on after the last of them, so all that come due at that moment are answered.
create or replace function read_due(p_shards smallint[], p_after timestamptz, p_until timestamptz, p_limit integer)
returns setof delivery language sql stable set enable_seqscan = off set enable_bitmapscan = off as $$
  select * from delivery d
  where d.status = 'pending' and d.attempts > 0 and d.next_attempt_at > p_after and d.next_attempt_at <= p_until
    and shard_of(d.endpoint_id) = any(p_shards)
  order by d.next_attempt_at fetch first p_limit rows with ties
$$;

-- Answers the bodies of events.
create or replace function read_bodies(p_ids text[], p_created_at timestamptz[])
returns table (id text, body text) language sql stable set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off as $$
  select e.id, e.body from unnest(p_ids, p_created_at) as asked(id, created_at)
    join event e on e.id = asked.id and e.created_at = asked.created_at
$$;
