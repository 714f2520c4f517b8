-- True when one of these addresses, given as keyed digests, was a person's whom the tenant had erased when that
-- happened. The network tells whole seconds, and a time is the end of its second: what is of the second of the erasure
-- counts as later.
create or replace function was_erased(p_agency text, p_tenant text, p_digests jsonb, p_at timestamptz)
returns boolean language sql stable as $$
  select exists (
    select 1 from jsonb_array_elements_text(p_digests) d
    join erased_address e on e.agency_id = p_agency and e.tenant_id = p_tenant and e.digest = decode(d, 'hex')
    where e.erased_at >= p_at)
$$;

-- The time before which a tenant has no messages: its retention deletes them. Null where it keeps all. The mark holds
-- what was deleted so far, because a longer retention brings nothing back.
create or replace function kept_since(p_agency text, p_tenant text, p_now timestamptz)
returns timestamptz language sql stable as $$
  select greatest(p_now - stored_int(t.settings->'messageRetentionDays', 1, 36500) * interval '1 day',
    (select d.kept_since from deletion_mark d where d.agency_id = p_agency and d.tenant_id = p_tenant))
  from tenant t where t.agency_id = p_agency and t.id = p_tenant
$$;

-- The one check of all deletions, for every writer of a message: true when a message of this time must not be written,
-- because its person was erased, the retention has deleted it, or its session is gone. A repair (history, gap, audit,
-- silence) reads a deletion as a loss. It therefore also leaves out what the retention deletes within the hour, because
-- the network dates our own messages later than we do, and all messages of a session that is gone.
create or replace function is_deleted(p_agency text, p_tenant text, p_session text, p_digests jsonb, p_at timestamptz,
  p_is_repair boolean, p_now timestamptz)
returns boolean language sql stable as $$
  select was_erased(p_agency, p_tenant, coalesce(p_digests, '[]'), p_at)
    or coalesce(date_trunc('second', p_at) < kept_since(p_agency, p_tenant, p_now)
      + case when p_is_repair then interval '1 hour' else interval '0' end, false)
    or exists (select 1 from session s where s.id = p_session and s.deleted_at is not null
      and (p_is_repair or p_at >= s.deleted_at))
$$;
