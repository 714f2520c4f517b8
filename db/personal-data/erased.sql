-- The time before which a tenant has no messages: its retention deletes them. Null where it keeps all. The mark holds
-- what was deleted so far, because a longer retention brings nothing back. A function that answers rows becomes part of
-- the statement that asks it; each call of one that answers a value starts a statement of its own.
create or replace function retention_of(p_agency text, p_tenant text, p_now timestamptz)
returns table (kept_since timestamptz) language sql stable as $$
  select greatest(p_now - stored_int(t.settings->'messageRetentionDays', 1, 36500) * interval '1 day', d.kept_since)
  from tenant t left join deletion_mark d on d.agency_id = t.agency_id and d.tenant_id = t.id
  where t.agency_id = p_agency and t.id = p_tenant
$$;

-- Answers the same as a value.
create or replace function kept_since(p_agency text, p_tenant text, p_now timestamptz)
returns timestamptz language sql stable as $$
  select r.kept_since from retention_of(p_agency, p_tenant, p_now) r
$$;

-- The one check of all deletions, for every writer of a message: true when a message of this time must not be written,
-- because its person was erased, the retention has deleted it, or its session is gone. The addresses are keyed digests.
-- The network tells whole seconds, and a time is the end of its second: what is of the second of an erasure counts as
-- later. A repair (history, gap, audit, silence) reads a deletion as a loss. It therefore also leaves out what the
-- retention deletes within the hour, because the network dates our own messages later than we do, and all messages of a
-- session that is gone.
--
-- It is part of each insert of a message. With exists, the planner may read all sessions, and all erased addresses of
-- the tenant; limits and values keep it to their keys.
create or replace function deletion_of(p_agency text, p_tenant text, p_session text, p_digests jsonb,
  p_at timestamptz, p_is_repair boolean, p_now timestamptz)
returns table (is_deleted boolean) language sql stable as $$
  select coalesce((select true from jsonb_array_elements_text(coalesce(p_digests, '[]')) d
      cross join lateral (
        select from erased_address e
        where e.agency_id = p_agency and e.tenant_id = p_tenant and e.digest = decode(d, 'hex')
          and e.erased_at >= p_at limit 1) e
      limit 1), false)
    or coalesce(date_trunc('second', p_at) < (select r.kept_since from retention_of(p_agency, p_tenant, p_now) r)
      + case when p_is_repair then interval '1 hour' else interval '0' end, false)
    or coalesce((select s.deleted_at is not null and (p_is_repair or p_at >= s.deleted_at)
      from session s where s.id = p_session), false)
$$;

-- Answers the same as a value.
create or replace function is_deleted(p_agency text, p_tenant text, p_session text, p_digests jsonb, p_at timestamptz,
  p_is_repair boolean, p_now timestamptz)
returns boolean language sql stable as $$
  select d.is_deleted from deletion_of(p_agency, p_tenant, p_session, p_digests, p_at, p_is_repair, p_now) d
$$;

-- Answers the same of a message as its writer has it. A read of the history is a repair, too.
create or replace function deletion_of_report(p_agency text, p_tenant text, p_session text, p jsonb, p_now timestamptz)
returns table (is_deleted boolean) language sql stable as $$
  select d.is_deleted from deletion_of(p_agency, p_tenant, p_session, p->'erasedDigests', (p->>'at')::timestamptz,
    coalesce((p->>'recovered')::boolean, false) or p->>'origin' = 'history', p_now) d
$$;
