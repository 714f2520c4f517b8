-- Makes the coming partitions of time-partitioned tables and drops the old ones, as `partition_policy` says.
--
-- This must not hold up reads and writes. A new partition is made beside its table and then attached, which locks no
-- reader or writer out. A drop locks them out for a moment, so it comes last and drops one partition per call. A
-- table that cannot be locked within a second is left to the next call.
create or replace function maintain_partitions(today date) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  policy record;
  starts date;
  part_name text;
  old record;
  v_waits boolean;
begin
  -- The number of the advisory lock is arbitrary. Another process that holds it makes the same partitions, so there is
  -- no need to wait.
  if not pg_try_advisory_xact_lock(7215002) then return; end if;
  for policy in select * from partition_policy order by table_name loop
    -- Periods are counted from a fixed day, so that every process makes the same borders.
    starts := date '2026-01-05' + ((today - date '2026-01-05') / policy.period_days) * policy.period_days;
    -- Partitions begin one period back, for rows whose day began on another clock, and reach so far ahead that a few
    -- days without a run do no harm.
    for offset_periods in -1 .. (case when policy.period_days = 1 then 7 else 2 end) loop
      part_name := format('%s_p%s', policy.table_name,
        to_char(starts + offset_periods * policy.period_days, 'YYYYMMDD'));
      if to_regclass(part_name) is null then
        begin
          execute format('create table %I (like %I including defaults)', part_name, policy.table_name);
          execute format('alter table %I attach partition %I for values from (%L) to (%L)',
            policy.table_name, part_name,
            starts + offset_periods * policy.period_days, starts + (offset_periods + 1) * policy.period_days);
        exception when lock_not_available then null;
        end;
      end if;
    end loop;
  end loop;
  -- No row is written any more to a partition whose time is over, so it can be looked at before it is locked.
  for old in
    select p.table_name, child.relname as name
    from partition_policy p join pg_class parent on parent.oid = to_regclass(p.table_name)
      join pg_inherits i on i.inhparent = parent.oid join pg_class child on child.oid = i.inhrelid
    where to_date(right(child.relname, 8), 'YYYYMMDD') + p.period_days + p.keep_days < today
    order by right(child.relname, 8), p.table_name
  loop
    -- Events that are not applied were answered with 2xx, so their partition stays until they have been parked.
    if old.table_name = 'backend_event' then
      execute format('select exists (select from %I where applied_at is null)', old.name) into v_waits;
      continue when v_waits;
    end if;
    begin
      if old.table_name = 'event' then perform note_expired_events(old.name); end if;
      execute format('drop table %I', old.name);
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
