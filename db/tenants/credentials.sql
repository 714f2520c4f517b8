-- The one rule of every credential: it works while its maker works, and opens no more than its maker does.

-- Returns the key and the makers with which it ends, as `[{id, kind, scopes, replaced}]`. Null if one of them has
-- ended.
create or replace function key_chain(p_key text, p_now timestamptz) returns jsonb language sql stable as $$
  with recursive chain as (
    select k.id, k.kind, k.scopes, k.made_by, k.ends_with_maker, k.replaced_by, k.revoked_at, k.expires_at
    from api_key k where k.id = p_key
    union
    select k.id, k.kind, k.scopes, k.made_by, k.ends_with_maker, k.replaced_by, k.revoked_at, k.expires_at
    from chain c join api_key k on c.ends_with_maker and k.id = c.made_by
  )
  select case when bool_and(revoked_at is null and (expires_at is null or expires_at > p_now)) then
    jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'scopes', scopes, 'replaced', replaced_by is not null)) end
  from chain
$$;

create or replace function key_works(p_key text, p_now timestamptz) returns boolean language sql stable as $$
  select key_chain(p_key, p_now) is not null
$$;

-- Tells whether neither the key nor a maker of it was replaced. A replaced key works in its overlap, but its holder may
-- be a thief: it makes and ends no key, and nobody stays logged in by it.
create or replace function key_leads(p_key text, p_now timestamptz) returns boolean language sql stable as $$
  select coalesce(not key_chain(p_key, p_now) @> '[{"replaced": true}]', false)
$$;

-- Tells whether a login lasts, whatever became of its key. It has no row once somebody ended it, and is past after a
-- logout.
create or replace function login_lasts(p_login text, p_now timestamptz) returns boolean language sql stable as $$
  select exists (select 1 from console_login g where g.id = p_login and g.expires_at > p_now
    and not exists (select 1 from console_link l where l.id = g.link_id and l.revoked_at is not null))
$$;

-- Tells whether the maker of a console link and what the link shows are still there. Without p_masters, any master key
-- counts. A suspension is no end: each request of the agency is refused for it with a reason of its own.
create or replace function link_works(p_link text, p_now timestamptz, p_masters bytea[])
returns boolean language sql stable as $$
  select exists (select 1 from console_link l where l.id = p_link and l.revoked_at is null
    and (l.key_id is null or key_leads(l.key_id, p_now))
    -- The key or master key of this login is the link's, too.
    and (l.login_id is null or login_lasts(l.login_id, p_now))
    and (l.master is null or p_masters is null or l.master = any(p_masters))
    and not exists (select 1 from session s where s.id = l.session_id and s.wish = 'deleted')
    and not exists (select 1 from endpoint e where e.id = l.endpoint_id and e.deleted_at is not null))
$$;

-- Tells whether somebody is still logged in by it. Without p_masters, any master key counts.
create or replace function login_works(p_login text, p_now timestamptz, p_masters bytea[])
returns boolean language sql stable as $$
  select exists (select 1 from console_login g where g.id = p_login and g.expires_at > p_now
    and (g.key_id is null or key_leads(g.key_id, p_now))
    and (g.master is null or p_masters is null or g.master = any(p_masters))
    and (g.link_id is null or link_works(g.link_id, p_now, p_masters)))
$$;

-- Returns the key, the console link or the master key behind a maker, which may be a login by it. Null for a login that
-- has no row any more.
create or replace function maker_credential(p_maker text) returns text language sql stable as $$
  select case when p_maker like 'clg\_%' then
    (select coalesce(g.link_id, g.key_id, 'master') from console_login g where g.id = p_maker)
    else p_maker end
$$;

-- Tells whether the maker of a connect link or of an upload still works: a login, a key, or the master key; a console
-- link where an earlier release wrote it. Its work is used without the maker, so a suspension of its agency counts
-- here.
create or replace function maker_works(p_maker text, p_now timestamptz) returns boolean language sql stable as $$
  select p_maker is not null and not exists (
    select 1 from agency a where is_suspended(a.status) and a.id in (
      select k.agency_id from api_key k where k.id = maker_credential(p_maker)
      union all select l.agency_id from console_link l where l.id = maker_credential(p_maker))
  ) and case
    when p_maker = 'master' then true
    when p_maker like 'clg\_%' then login_works(p_maker, p_now, null)
    when p_maker like 'clk\_%' then link_works(p_maker, p_now, null) and exists (
      select 1 from console_link l
      where l.id = p_maker and coalesce(l.used_at, l.created_at) + l.login_seconds * interval '1 second' > p_now)
    else coalesce(key_works(p_maker, p_now), false)
  end
$$;

-- An earlier release wrote no maker, but an entry of the audit in the same transaction.
create or replace function connect_link_works(p_link text, p_now timestamptz) returns boolean language sql stable as $$
  select exists (
    select 1 from connect_link l join session s on s.id = l.session_id join agency a on a.id = s.agency_id
    where l.id = p_link and l.expires_at > p_now and s.wish <> 'deleted' and not is_suspended(a.status)
      and maker_works(coalesce(l.maker, (select e.key_id from audit_entry e
        where e.agency_id = s.agency_id and e.at = l.created_at and e.object = 'session' and e.object_id = s.id
        limit 1)), p_now))
$$;
