-- Answers the contact of a set of addresses, and makes the contact when none of the addresses is known. New addresses
-- are added to a contact that is known by another of them. Contacts whom the network shows to be one person are merged
-- (`merge-contacts.sql`). A phone becomes the address that we write to. `p_session` and `p_network_id` name the message
-- that shows this, for the ledger of merges. `is_renamed` says that a contact who was known before has another name
-- now.
create or replace function ensure_contact(p_agency text, p_tenant text, p_chat_ids text[], p_name text,
  p_push_name text, p_new_id text, p_session text, p_network_id text, out id text, out is_renamed boolean)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  known text;
  last_known text;
  known_count integer;
  winner text;
  is_new boolean := false;
  phone text;
begin
  select min(contact_id), max(contact_id), count(*) into known, last_known, known_count from contact_alias
  where agency_id = p_agency and tenant_id = p_tenant and chat_id = any (p_chat_ids);
  if known is null or known <> last_known or known_count < cardinality(p_chat_ids) then
    select c into phone from unnest(p_chat_ids) c where is_phone(c) limit 1;
    if known is null then
      -- The network is asked for the phone of somebody who is known by a hidden id alone (`phone-questions.ts`).
      insert into contact (id, agency_id, tenant_id, chat_id, ask_phone_at, ask_session_id)
      values (p_new_id, p_agency, p_tenant, coalesce(phone, p_chat_ids[1]),
        case when phone is null and is_hidden(p_chat_ids[1]) then clock_timestamp() end,
        case when phone is null and is_hidden(p_chat_ids[1]) then p_session end);
    end if;
    -- The addresses are inserted in the same order in all transactions, because two transactions would otherwise wait
    -- for each other.
    insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
    select p_agency, p_tenant, c, coalesce(known, p_new_id) from unnest(p_chat_ids) c order by c
    on conflict (agency_id, tenant_id, chat_id) do nothing;
    if known is null then
      -- Another transaction may have made a contact of these addresses at the same time; that contact stays, and ours
      -- is deleted.
      -- Without the array the planner may look for the least of the tenant's contacts until one has such an address.
      select (array_agg(contact_id order by contact_id))[1] into winner from contact_alias
      where agency_id = p_agency and tenant_id = p_tenant and chat_id = any (p_chat_ids) and contact_id <> p_new_id;
      if winner is not null then
        update contact_alias set contact_id = winner where contact_id = p_new_id;
        delete from contact where id = p_new_id;
      end if;
      is_new := winner is null;
    end if;
    known := unite_contacts(p_agency, p_tenant, p_chat_ids, p_session, p_network_id);
    -- The phone is another contact's where the two were taken apart.
    if phone is not null and exists (select 1 from contact_alias
      where agency_id = p_agency and tenant_id = p_tenant and chat_id = phone and contact_id = known) then
      perform write_to(known, phone);
    end if;
  end if;
  id := known;
  is_renamed := false;
  if p_name is not null or p_push_name is not null then
    update contact set name = coalesce(p_name, name), push_name = coalesce(p_push_name, push_name)
    where id = known and (name, push_name) is distinct from (coalesce(p_name, name), coalesce(p_push_name, push_name));
    is_renamed := found and not is_new;
  end if;
end
$$;

-- Makes a phone that the network has named as the contact's the address that we write to. An earlier number of the
-- contact stays one of its addresses.
create or replace function write_to(p_contact text, p_phone text)
returns void language plpgsql set enable_seqscan = off as $$
begin
  update contact set chat_id = p_phone, ask_phone_at = null where id = p_contact and chat_id <> p_phone;
  perform 1 from conversation k where k.contact_id = p_contact and is_phone(k.chat_id) and k.chat_id <> p_phone
  limit 1;
  if not found then return; end if;
  perform lock_people(array[p_contact], '{}');
  update conversation k set chat_id = p_phone
  where k.contact_id = p_contact and is_phone(k.chat_id) and k.chat_id <> p_phone
    and not exists (select 1 from conversation o where o.session_id = k.session_id and o.chat_id = p_phone);
end
$$;
