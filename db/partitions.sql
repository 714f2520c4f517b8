-- Makes the coming partitions of time-partitioned tables and drops the old ones, as `partition_policy` says.
--
-- This must not hold up reads and writes. A new partition is made beside its table and then attached, which locks no
-- reader or writer out. A drop locks them out for a moment, so it comes last and drops one partition per call. A
-- table that cannot be locked within a second is left to the next call.
create or replace function maintain_partitions(today date) returns void language plpgsql set lock_timeout = '1s' as $$
begin
  -- The number of the advisory lock is arbitrary. Another process that holds it makes the same partitions, so there is
  -- no need to wait.
  if pg_try_advisory_xact_lock(7215002) then
    perform make_partition(p.table_name, starts, p.period_days)
      from partition_policy p cross join lateral partition_starts(today, p.period_days) starts
      order by p.table_name, starts;
    perform drop_old_partition(today);
  end if;
end
$$;

-- Answers on which days the partitions begin that must be there today. Periods are counted from a fixed day, so that
-- every process makes the same borders. The first begins one period back, for rows whose day began on another clock,
-- and the last is so far ahead that a few days without a run do no harm.
create or replace function partition_starts(p_today date, p_period_days integer)
returns setof date language sql immutable as $$
  select p_today - (p_today - date '2026-01-05') % p_period_days + period * p_period_days
  from generate_series(-1, case when p_period_days = 1 then 7 else 2 end) period
$$;

create or replace function make_partition(p_table text, p_starts date, p_period_days integer)
returns void language plpgsql as $$
declare
  v_name text := p_table || '_p' || to_char(p_starts, 'YYYYMMDD');
begin
  if to_regclass(v_name) is not null then return; end if;
  execute format('create table %I (like %I including defaults) %s', v_name, p_table, (
    select 'with (' || nullif(p.parameters, '') || ')' from partition_policy p where p.table_name = p_table));
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_table, v_name, p_starts,
    p_starts + p_period_days);
exception when lock_not_available then null;
end
$$;

-- Drops the oldest partition whose time is over. No row is written to it any more, so it can be looked at before it is
-- locked.
create or replace function drop_old_partition(p_today date) returns void language plpgsql as $$
declare
  v_old record;
  v_waits boolean;
begin
  for v_old in
    select p.table_name, child.relname as name
    from partition_policy p join pg_class parent on parent.oid = to_regclass(p.table_name)
      join pg_inherits i on i.inhparent = parent.oid join pg_class child on child.oid = i.inhrelid
    where to_date(right(child.relname, 8), 'YYYYMMDD') + p.period_days + p.keep_days < p_today
    order by right(child.relname, 8), p.table_name
  loop
    -- Events that are not applied were answered with 2xx, so their partition stays until they have been parked.
    if v_old.table_name = 'backend_event' then
      execute format('select exists (select from %I where applied_at is null)', v_old.name) into v_waits;
      continue when v_waits;
    end if;
    begin
      if v_old.table_name = 'event' then perform note_expired_events(v_old.name); end if;
      execute format('drop table %I', v_old.name);
    exception when lock_not_available then null;
    end;
    return;
  end loop;
end
$$;

-- Records the last place of each agency in a partition of events that is dropped: a pull from before that place would
-- miss events.
create or replace function note_expired_events(p_partition text) returns void language plpgsql as $$
begin
  execute format('insert into event_expiry as known (agency_id, txid, place)
    select a.id, last.txid, last.place from agency a cross join lateral (
      select v.txid, v.place from %I v where v.agency_id = a.id order by v.txid desc, v.place desc limit 1) last
    on conflict (agency_id) do update set txid = excluded.txid, place = excluded.place
      where (known.txid, known.place) < (excluded.txid, excluded.place)', p_partition);
end
$$;
