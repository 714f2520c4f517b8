-- The person behind a set of addresses, made when none of them is known. New addresses are added to a person that is known
-- by another; an address that belongs to somebody else stays there. A phone becomes the address we write to.
create or replace function ensure_contact(p_agency text, p_tenant text, p_chat_ids text[], p_name text, p_push_name text, p_new_id text)
returns text language plpgsql set enable_seqscan = off as $$
declare
  known text;
  known_count integer;
  winner text;
  phone text := (select c from unnest(p_chat_ids) c where c like '%@c.us' limit 1);
begin
  select min(contact_id), count(*) into known, known_count from contact_alias
  where agency_id = p_agency and tenant_id = p_tenant and chat_id = any (p_chat_ids);
  if known is not null and known_count = cardinality(p_chat_ids) then
    if p_name is not null or p_push_name is not null then
      update contact set name = coalesce(p_name, name), push_name = coalesce(p_push_name, push_name)
      where id = known and (name is distinct from coalesce(p_name, name) or push_name is distinct from coalesce(p_push_name, push_name));
    end if;
    return known;
  end if;
  if known is null then
    insert into contact (id, agency_id, tenant_id, chat_id, name, push_name)
    values (p_new_id, p_agency, p_tenant, coalesce(phone, p_chat_ids[1]), p_name, p_push_name);
  elsif phone is not null then
    update contact set chat_id = phone where id = known and chat_id not like '%@c.us';
  end if;
  -- In one order in all transactions, else two of them wait for each other.
  insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
  select p_agency, p_tenant, c, coalesce(known, p_new_id) from unnest(p_chat_ids) c order by c
  on conflict (agency_id, tenant_id, chat_id) do nothing;
  if known is not null then return known; end if;
  -- Somebody else may have made the same person at the same time: theirs stands, ours gives way.
  select contact_id into winner from contact_alias
  where agency_id = p_agency and tenant_id = p_tenant and chat_id = any (p_chat_ids) and contact_id <> p_new_id limit 1;
  if winner is null then return p_new_id; end if;
  update contact_alias set contact_id = winner where contact_id = p_new_id;
  delete from contact where id = p_new_id;
  return winner;
end
$$;
