-- Returns how much an agency and each of its tenants may store: the operator's limits of the agency, else those of the
-- configuration.
create or replace function storage_ceilings_of(p_agency text) returns storage_ceiling language sql stable as $$
  select row(true, coalesce(stored_int(a.limits->'tenantStorageBytes', 0, 1000000000000000), c.tenant_bytes),
    coalesce(stored_int(a.limits->'storageBytes', 0, 1000000000000000), c.agency_bytes))::storage_ceiling
  from storage_ceiling c left join agency a on a.id = p_agency where c.one
$$;

-- Adds up what was noted of an agency's files, `p_limit` notes at most. Returns how many. The caller has the lock of
-- the agency's sums until the end of its transaction.
create or replace function fold_storage(p_agency text, p_limit integer)
returns integer language plpgsql set enable_seqscan = off as $$
declare
  v_notes integer;
begin
  insert into storage_use (agency_id, tenant_id) values (p_agency, '') on conflict do nothing;
  perform 1 from storage_use where agency_id = p_agency and tenant_id = '' for update;
  -- A statement after the lock sees what the former holder has added up.
  with noted as (
    delete from storage_note where id in (
      select id from storage_note where agency_id = p_agency order by id limit p_limit)
    returning tenant_id, key, named, size_bytes
  ), change as (
    select tenant_id, key, sum(named)::integer as named, max(size_bytes) as size_bytes from noted
    group by tenant_id, key
  ), known as (
    select c.tenant_id, c.key, c.named, coalesce(f.named, 0) as before,
      coalesce(f.size_bytes, c.size_bytes) as size_bytes
    from change c left join storage_file f
      on f.agency_id = p_agency and f.tenant_id = c.tenant_id and f.key = c.key
  ), forgotten as (
    delete from storage_file f using known k
    where f.agency_id = p_agency and f.tenant_id = k.tenant_id and f.key = k.key and k.before + k.named = 0
  ), written as (
    insert into storage_file as f (agency_id, tenant_id, key, named, size_bytes)
    select p_agency, tenant_id, key, named, size_bytes from known where before + named <> 0 and named <> 0
    on conflict (agency_id, tenant_id, key) do update set named = f.named + excluded.named
  ), moved as (
    select tenant_id, sum(size_bytes * ((before + named > 0)::integer - (before > 0)::integer)) as size_bytes from known
    group by tenant_id
  ), added as (
    insert into storage_use as u (agency_id, tenant_id, size_bytes)
    select p_agency, coalesce(tenant_id, ''), sum(size_bytes) from moved
    group by grouping sets ((tenant_id), ()) having sum(size_bytes) <> 0
    on conflict (agency_id, tenant_id) do update set size_bytes = u.size_bytes + excluded.size_bytes
  )
  select count(*) into v_notes from noted;
  return v_notes;
end
$$;

-- Adds up what was noted, of `p_agencies` agencies at most. Returns how many notes.
create or replace function fold_all_storage(p_agencies integer, p_limit integer)
returns integer language plpgsql set enable_seqscan = off as $$
declare
  v_agency text;
  v_notes integer := 0;
begin
  for v_agency in
    with recursive noted as (
      (select agency_id, 1 as place from storage_note order by agency_id limit 1)
      union all
      (select next.agency_id, n.place + 1 from noted n cross join lateral (
        select s.agency_id from storage_note s where s.agency_id > n.agency_id order by s.agency_id limit 1) next
        where n.place < p_agencies)
    ) select agency_id from noted order by agency_id
  loop
    v_notes := v_notes + fold_storage(v_agency, p_limit);
  end loop;
  return v_notes;
end
$$;

-- Sets aside the bytes of a file that is about to be put, unless the tenant or its agency has no room for them: answers
-- null, `tenant` or `agency`. A file that the tenant has already takes no room. The lock of the agency's sums lets one
-- of two callers see what the other has set aside.
create or replace function reserve_storage(p_id text, p_agency text, p_tenant text, p_key text, p_size bigint,
  p_maker text, p_type text, p_now timestamptz, p_seconds integer, p_fold integer)
returns text language plpgsql set enable_seqscan = off as $$
declare
  c storage_ceiling;
  v_full text;
begin
  perform fold_storage(p_agency, p_fold);
  c := storage_ceilings_of(p_agency);
  if not exists (select 1 from storage_file f
    where f.agency_id = p_agency and f.tenant_id = p_tenant and f.key = p_key and f.named > 0)
  then
    select l.of into v_full
    from (values ('tenant', p_tenant, nullif(c.tenant_bytes, 0)), ('agency', '', nullif(c.agency_bytes, 0)))
      l(of, tenant_id, most)
      left join storage_use u on u.agency_id = p_agency and u.tenant_id = l.tenant_id
    where coalesce(u.size_bytes, 0) + p_size > l.most
    order by l.of desc limit 1;
    if v_full is not null then return v_full; end if;
  end if;
  insert into file_hold as h (id, agency_id, tenant_id, key, size_bytes, maker, mime_type, created_at, held_until)
  values (p_id, p_agency, p_tenant, p_key, p_size, p_maker, p_type, p_now,
    p_now + p_seconds * interval '1 second')
  on conflict (id) do update set ended_at = null, held_until = greatest(h.held_until, excluded.held_until);
  return null;
end
$$;

-- Answers the same before a file whose size is not known yet: `tenant` or `agency` where no room is left at all.
create or replace function storage_full(p_agency text, p_tenant text) returns text language sql stable as $$
  select case when u.tenant_id = '' then 'agency' else 'tenant' end
  from storage_use u cross join storage_ceilings_of(p_agency) c
  where u.agency_id = p_agency and u.tenant_id in ('', p_tenant)
    and u.size_bytes >= nullif(case when u.tenant_id = '' then c.agency_bytes else c.tenant_bytes end, 0)
  order by u.tenant_id desc limit 1
$$;
