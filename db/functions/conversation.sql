-- The conversation of a session with whoever has these addresses, made when there is none. A person is one conversation per
-- session, whichever of their addresses the network used this time; a group is its own.
create or replace function ensure_conversation(p_agency text, p_tenant text, p_session text, p_chat_id text, p_chat_ids text[], p_name text,
  p_push_name text, p_new_conversation text, p_new_contact text)
returns table (id text, chat_id text, contact_id text) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  person text := null;
begin
  if cardinality(p_chat_ids) > 0 then
    person := ensure_contact(p_agency, p_tenant, p_chat_ids, p_name, p_push_name, p_new_contact);
  end if;
  for attempt in 1..2 loop
    return query select c.id, c.chat_id, c.contact_id from conversation c
      where c.session_id = p_session and c.contact_id = person;
    if found then return; end if;
    return query select c.id, c.chat_id, c.contact_id from conversation c
      where c.session_id = p_session and c.chat_id = p_chat_id;
    if found then return; end if;
    insert into conversation (id, agency_id, tenant_id, session_id, chat_id, contact_id, name)
    values (p_new_conversation, p_agency, p_tenant, p_session, p_chat_id, person, p_name)
    on conflict do nothing;
  end loop;
end
$$;
