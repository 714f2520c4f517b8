-- Writes a page of an account's list of contacts, one contact at each place of the arrays, and only what differs from
-- the rows. `p_mine` says who is in the address book; `p_blocked` is null where the network does not tell. Decisions
-- since `p_read_at`, when the reading of the list began, stay. Answers the places that changed anything, with what. A
-- place without a contact is not written, since its addresses make contacts one, or another transaction is about to:
-- the caller ensures that contact first (`contact.sql`).
create or replace function sync_contacts(p_agency text, p_tenant text, p_session text, p_read_at timestamptz,
  p_chat_ids text[], p_lids text[], p_names text[], p_push_names text[], p_mine boolean[], p_blocked boolean[],
  p_new_ids text[])
returns table (place integer, contact_id text, changed text[]) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_ids text[];
  v_new boolean[];
  v_lost text[];
begin
  -- The limit keeps the search by address, whatever the planner believes of the size of the table.
  with address as (
    select at, chat_id from unnest(p_chat_ids) with ordinality c(chat_id, at)
    union all select at, lid from unnest(p_lids) with ordinality l(lid, at) where lid is not null
  ), found as (
    select d.at, min(a.contact_id) as id, count(a.contact_id) = 0 as is_new,
      min(a.contact_id) = max(a.contact_id) and count(a.contact_id) = count(*) as is_one
    from address d left join lateral (
      select contact_id from contact_alias
      where agency_id = p_agency and tenant_id = p_tenant and chat_id = d.chat_id limit 1) a on true
    group by d.at
  )
  select array_agg(case when f.is_new then n.id when f.is_one then f.id end order by f.at),
    array_agg(f.is_new order by f.at)
  into v_ids, v_new from found f join unnest(p_new_ids) with ordinality n(id, at) using (at);

  if true = any (v_new) then
    insert into contact (id, agency_id, tenant_id, chat_id, name, push_name)
    select g.id, p_agency, p_tenant, g.chat_id, g.name, g.push_name
    from unnest(v_ids, p_chat_ids, p_names, p_push_names, v_new) as g(id, chat_id, name, push_name, is_new)
    where g.is_new;
    -- The addresses are inserted in the same order in all transactions, because two transactions would otherwise wait
    -- for each other.
    with given as (
      select g.* from unnest(v_ids, p_chat_ids, p_lids, v_new) as g(id, chat_id, lid, is_new) where g.is_new
    ), written as (
      insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
      select p_agency, p_tenant, a.chat_id, a.id
      from (select chat_id, id from given union all select lid, id from given where lid is not null) a
      order by a.chat_id
      on conflict (agency_id, tenant_id, chat_id) do nothing returning contact_id
    ), counted as (
      select contact_id, count(*) as addresses from written group by contact_id
    )
    select array_agg(g.id) into v_lost from given g left join counted c on c.contact_id = g.id
    where coalesce(c.addresses, 0) < case when g.lid is null then 1 else 2 end;
    -- Another transaction, or another place of this page, has an address of theirs.
    if v_lost is not null then
      delete from contact_alias where contact_id = any (v_lost);
      delete from contact where id = any (v_lost);
      v_ids := array(select case when g.id = any (v_lost) then null else g.id end
        from unnest(v_ids) with ordinality g(id, at) order by g.at);
    end if;
  end if;

  return query
  with given as (
    -- A person who is listed under two addresses is written once.
    select distinct on (g.id) g.*
    from unnest(v_ids, p_names, p_push_names, p_mine, p_blocked, v_new)
      with ordinality as g(id, name, push_name, mine, blocked, is_new, at)
    where g.id is not null order by g.id, g.name is null, g.at
  ), listed as (
    select * from session_contact where session_id = p_session and contact_id = any (v_ids)
  ), seen as (
    select g.id, g.at, g.mine, l.contact_id is null as is_added, coalesce(g.name, l.name) as name,
      coalesce(g.push_name, k.push_name) as push_name,
      case when l.decided_at >= p_read_at then l.is_blocked
        else coalesce(g.blocked, l.is_blocked, false) end as blocked,
      array_remove(array[
        case when l.contact_id is null then 'added' end,
        case when not g.is_new and g.name <> coalesce(l.name, k.name, '') then 'name' end,
        case when not g.is_new and g.push_name <> coalesce(k.push_name, '') then 'pushName' end,
        case when g.mine <> coalesce(l.is_my_contact, false) then 'isMyContact' end,
        case when g.blocked <> coalesce(l.is_blocked, false) and coalesce(l.decided_at < p_read_at, true)
          then 'isBlocked' end], null) as changed
    from given g join contact k on k.id = g.id left join listed l on l.contact_id = g.id
    where k.id = any (v_ids)
  ), named as (
    -- While another account has the person under this name, it stays: two accounts would change it in turns.
    update contact k set push_name = s.push_name,
      -- With exists, the planner may read the contacts of all sessions; with a limit it cannot.
      name = case when (select true from session_contact o
        where o.contact_id = k.id and o.session_id <> p_session and o.name = k.name limit 1) is true then k.name
        else coalesce(s.name, k.name) end
    from seen s where k.id = s.id and k.id = any (v_ids) and s.changed && array['name', 'pushName']
  ), written as (
    insert into session_contact (session_id, contact_id, is_my_contact, is_blocked, name)
    select p_session, s.id, s.mine, s.blocked, s.name from seen s
    where s.changed && array['added', 'name', 'isMyContact', 'isBlocked'] order by s.id
    on conflict (session_id, contact_id) do update set is_my_contact = excluded.is_my_contact, name = excluded.name,
      is_blocked = case when session_contact.decided_at >= p_read_at then session_contact.is_blocked
        else excluded.is_blocked end
  )
  select s.at::integer, s.id, s.changed from seen s where cardinality(s.changed) > 0
  union all
  select g.at::integer, null, null from unnest(v_ids) with ordinality g(id, at) where g.id is null;
end
$$;
