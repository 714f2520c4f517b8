-- Answers how much of a day's tokens is used by the tenant ('') or by one contact. 0: less than the share p_step_down;
-- 1: that share or more; 2: requests under way may use the rest; 3: all. A limit of 0 means no limit.
create or replace function budget_level(p_agency text, p_tenant text, p_contact text, p_limit bigint,
  p_step_down numeric, p_now timestamptz, p_lives interval, p_but text)
returns integer language sql stable as $$
  select case when p_limit = 0 then 0 when used >= p_limit then 3 when used + reserved >= p_limit then 2
    when used + reserved >= p_limit * p_step_down then 1 else 0 end
  from (select
    coalesce((select u.tokens from ai_usage u where u.agency_id = p_agency and u.tenant_id = p_tenant
      and u.contact_id = p_contact
      and u.day = (p_now at time zone 'UTC')::date), 0) as used,
    coalesce((select sum(r.tokens) from ai_reservation r
      where r.agency_id = p_agency and (p_tenant = '' or r.tenant_id = p_tenant)
      and (p_contact = '' or r.contact_id = p_contact) and r.at > p_now - p_lives and r.id is distinct from p_but),
      0) as reserved) s
$$;

-- Answers the same of a day's cost, which is known only after a request: those under way are not counted.
create or replace function cost_level(p_agency text, p_tenant text, p_limit bigint, p_step_down numeric,
  p_now timestamptz)
returns integer language sql stable as $$
  select case when p_limit = 0 then 0 when used >= p_limit then 3 when used >= p_limit * p_step_down then 1 else 0 end
  from (select coalesce((select u.cost_micros from ai_usage u where u.agency_id = p_agency and u.tenant_id = p_tenant
    and u.contact_id = '' and u.day = (p_now at time zone 'UTC')::date), 0) as used) s
$$;

-- The daily budget of an agency and of each of its tenants. The operator's value for the agency comes before the
-- configuration's.
create or replace function ceilings_of(p_agency text) returns ceiling language sql stable as $$
  select row(true, coalesce(stored_int(a.limits->'tenantTokensPerDay', 0, 1000000000000), c.tenant_tokens),
    coalesce((stored_number(a.limits->'tenantCostPerDay', 0)::numeric * 1000000)::bigint, c.tenant_cost_micros),
    coalesce(stored_int(a.limits->'tokensPerDay', 0, 1000000000000), c.agency_tokens),
    coalesce((stored_number(a.limits->'costPerDay', 0)::numeric * 1000000)::bigint, c.agency_cost_micros),
    coalesce(stored_int(a.limits->'tenants', 0, 2147483647)::integer, c.tenants))::ceiling
  from ceiling c left join agency a on a.id = p_agency where c.one
$$;

-- Answers how much is used of what a tenant may spend: by its persona, where p_limit 0 sets nothing, under the ceilings
-- of the tenant and of its agency. The usage of an agency is that of the tenant ''.
create or replace function spending_level(p_agency text, p_tenant text, p_limit bigint, p_step_down numeric,
  p_now timestamptz, p_lives interval, p_but text)
returns integer language plpgsql stable as $$
declare
  c ceiling := ceilings_of(p_agency);
  v_tenant bigint := coalesce(least(nullif(p_limit, 0), nullif(c.tenant_tokens, 0)), 0);
begin
  return greatest(budget_level(p_agency, p_tenant, '', v_tenant, p_step_down, p_now, p_lives, p_but),
    case when c.agency_tokens = 0 then 0
      else budget_level(p_agency, '', '', c.agency_tokens, p_step_down, p_now, p_lives, p_but) end,
    case when c.tenant_cost_micros = 0 then 0
      else cost_level(p_agency, p_tenant, c.tenant_cost_micros, p_step_down, p_now) end,
    case when c.agency_cost_micros = 0 then 0
      else cost_level(p_agency, '', c.agency_cost_micros, p_step_down, p_now) end);
end
$$;

-- Sets tokens aside for one request to a model, unless a budget forbids it; returns the level as above. The rows of
-- usage are the locks: a second caller waits and then sees the tokens that were set aside, and a transaction that
-- records usage waits, too.
create or replace function reserve_budget(p_agency text, p_tenant text, p_contact text, p_id text, p_tokens bigint,
  p_tenant_limit bigint, p_contact_limit bigint, p_step_down numeric, p_now timestamptz, p_lives interval)
returns integer language plpgsql set enable_seqscan = off as $$
declare
  v_level integer;
begin
  -- The agency's row is locked first, then the tenant's and the contact's, in the order in which usage is recorded.
  insert into ai_usage as u (agency_id, tenant_id, contact_id, day)
  select p_agency, l.tenant_id, l.contact_id, (p_now at time zone 'UTC')::date
  from (values (1, '', ''), (2, p_tenant, ''), (3, p_tenant, p_contact)) l(place, tenant_id, contact_id)
  where l.place < 3 or (p_contact <> '' and p_contact_limit > 0) order by l.place
  on conflict (agency_id, tenant_id, contact_id, day) do update set tokens = u.tokens;
  -- A new statement reads the levels, because it sees what the transactions wrote for whose locks this one waited.
  v_level := greatest(spending_level(p_agency, p_tenant, p_tenant_limit, p_step_down, p_now, p_lives, p_id),
    case when p_contact <> ''
      then budget_level(p_agency, p_tenant, p_contact, p_contact_limit, p_step_down, p_now, p_lives, p_id)
      else 0 end);
  if v_level < 2 then
    insert into ai_reservation (id, agency_id, tenant_id, contact_id, tokens, at)
    values (p_id, p_agency, p_tenant, p_contact, p_tokens, p_now)
    on conflict (id) do update set tokens = excluded.tokens, at = excluded.at;
  end if;
  return v_level;
end
$$;
