-- Answers one of these messages that the network has shown before under one of these spellings of a number, and the
-- spelling; no row where it has not.
create or replace function spelling_of_report(p_session text, p_network_ids text[], p_spellings text[])
returns table (network_id text, address text) language sql stable set enable_seqscan = off as $$
  select shown.network_id, shown.address from (
    select m.network_id, coalesce(m.chat_id, c.chat_id) as address from message m
      join conversation c on c.id = m.conversation_id
    where m.session_id = p_session and m.network_id = any (p_network_ids) and m.direction in ('in', 'out')
    union all
    select o.network_id, coalesce(o.message->>'chatId', c.chat_id) from parked_own_message o
      join conversation c on c.id = o.conversation_id
    where o.session_id = p_session and o.network_id = any (p_network_ids)
  ) shown where shown.address = any (p_spellings) order by shown.address limit 1
$$;

-- Adds to the addresses of a person the one under which we know them: another spelling of the same number. Two contacts
-- who fit are left alone, and so is a person whom we know as spelt. In Argentina a fixed line may have the number of a
-- mobile without its 9, so a contact who has written is left alone, too. A message that the network has shown under
-- both spellings (`p_network_id`) proves that the two are one person, in any case. `p_spellings` are the other
-- spellings (`domain/network/phone-forms.ts`).
create or replace function in_known_spelling(p_agency text, p_tenant text, p_session text, p_network_id text,
  p_chat_ids text[], p_spellings text[])
returns text[] language plpgsql stable set enable_seqscan = off as $$
declare
  v_known text;
begin
  if cardinality(p_chat_ids) = 0 or cardinality(p_spellings) = 0 then return p_chat_ids; end if;
  select s.address into v_known from spelling_of_report(p_session, array[p_network_id], p_spellings) s;
  if v_known is not null then return p_chat_ids || v_known; end if;
  if exists (select 1 from contact_alias a
      where a.agency_id = p_agency and a.tenant_id = p_tenant and a.chat_id = any (p_chat_ids)
        and is_phone(a.chat_id)) then
    return p_chat_ids;
  end if;
  select min(a.chat_id) into v_known from contact_alias a
  where a.agency_id = p_agency and a.tenant_id = p_tenant and a.chat_id = any (p_spellings)
  having count(distinct a.contact_id) = 1 and (not bool_or(a.chat_id like '54%') or not exists (select 1
    from conversation c where c.contact_id = min(a.contact_id) and c.last_inbound_at is not null));
  return case when v_known is null then p_chat_ids else p_chat_ids || v_known end;
end
$$;

-- Answers the addresses of a person, found under another spelling of the number by something that the person has not
-- written, with the one first that they have written under. We go on writing to that one, because the network may know
-- no other.
create or replace function from_their_own(p_agency text, p_tenant text, p_shown text[], p_found text[])
returns text[] language sql stable set enable_seqscan = off as $$
  select case when cardinality(p_found) > cardinality(p_shown) and exists (select 1 from contact_alias a
      join conversation c on c.contact_id = a.contact_id
      where a.agency_id = p_agency and a.tenant_id = p_tenant and a.chat_id = p_found[cardinality(p_found)]
        and c.last_inbound_at is not null)
    then p_found[cardinality(p_found)] || p_shown else p_found end
$$;

-- Answers the conversation of a session with the contact of these addresses, and locks it; makes it when there is none.
-- A contact has one conversation per session, whichever of their addresses the network used; a group has its own.
-- `p_network_id` is the message that names the addresses. `is_renamed` says that a contact who was known before has
-- another name now.
create or replace function ensure_conversation(p_agency text, p_tenant text, p_session text, p_chat_id text,
  p_chat_ids text[], p_name text, p_push_name text, p_new_conversation text, p_new_contact text, p_network_id text)
returns table (id text, chat_id text, contact_id text, is_renamed boolean)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  ensured record;
  person text := null;
  there text;
begin
  is_renamed := false;
  -- The search begins again when another transaction has made or merged a row that it was about to use.
  for attempt in 1..10 loop
    if cardinality(p_chat_ids) > 0 then
      ensured := ensure_contact(p_agency, p_tenant, p_chat_ids, p_name, p_push_name, p_new_contact, p_session,
        p_network_id);
      person := ensured.id;
      -- An attempt that begins again finds nothing more to change.
      is_renamed := is_renamed or ensured.is_renamed;
    end if;
    select c.id, c.chat_id, c.contact_id into id, chat_id, contact_id from conversation c
    where c.session_id = p_session and c.contact_id = person for no key update;
    if found then
      -- A merge may have been undone while the lock was waited for; the address is another contact's then.
      continue when not exists (select 1 from contact_alias a
        where a.agency_id = p_agency and a.tenant_id = p_tenant and a.chat_id = p_chat_ids[1]
          and a.contact_id = person);
      return next;
      return;
    end if;
    select conversation_now(c) into there from conversation c
    where c.session_id = p_session and c.chat_id = p_chat_id;
    if found then
      return query select c.id, c.chat_id, c.contact_id, is_renamed from conversation c
        where c.id = there and c.merged_into is null for no key update;
      if found then return; end if;
      continue;
    end if;
    if person is not null then
      -- The lock waits for a merge of the contact that is under way; the conversation then belongs to the contact that
      -- stays.
      perform 1 from contact k where k.id = person for key share;
      continue when not exists (select 1 from contact_alias a
        where a.agency_id = p_agency and a.tenant_id = p_tenant and a.chat_id = any (p_chat_ids)
          and a.contact_id = person);
    end if;
    if is_hidden(p_chat_id) then
      -- Somebody who was known from the list of contacts alone is asked for, too (`phone-questions.ts`).
      update contact set ask_phone_at = clock_timestamp(), ask_session_id = p_session
      where id = person and is_hidden(chat_id) and ask_phone_at is null and phone_asks = 0;
    end if;
    insert into conversation (id, agency_id, tenant_id, session_id, chat_id, contact_id, name)
    values (p_new_conversation, p_agency, p_tenant, p_session, p_chat_id, person, p_name)
    on conflict do nothing;
  end loop;
end
$$;

-- Serves processes of the previous release, which do not name the message; the next release drops this function.
create or replace function ensure_conversation(p_agency text, p_tenant text, p_session text, p_chat_id text,
  p_chat_ids text[], p_name text, p_push_name text, p_new_conversation text, p_new_contact text)
returns table (id text, chat_id text, contact_id text) language sql as $$
  select id, chat_id, contact_id from ensure_conversation(p_agency, p_tenant, p_session, p_chat_id, p_chat_ids, p_name,
    p_push_name, p_new_conversation, p_new_contact, '')
$$;

-- Locks a conversation, the first step of everything that changes its queue. Answers the conversation that is locked:
-- the one that this one was merged into, even if that happened while the lock was waited for.
create or replace function lock_conversation(p_conversation text)
returns text language plpgsql set enable_seqscan = off as $$
declare
  v_id text := p_conversation;
  v_now text;
begin
  loop
    perform 1 from conversation where id = v_id and merged_into is null for no key update;
    if found and v_id = p_conversation then return v_id; end if;
    -- The merge may have been undone while the lock was waited for, so the named conversation says where it leads now.
    select conversation_now(k) into v_now from conversation k where k.id = p_conversation;
    if v_now is null then return p_conversation; end if;
    if v_now = v_id then return v_id; end if;
    v_id := v_now;
  end loop;
end
$$;

-- Updates the conversation's line in the chat list, unless a newer message stands there; `line` is the message's text,
-- cut. The message counts as unread once, unless `unread` says how often. Answers the session when a first contact that
-- waited may go now, else null. Needs the conversation's lock.
create or replace function record_last_message(p_conversation text, p jsonb, p_now timestamptz)
returns text language plpgsql set enable_seqscan = off as $$
declare
  v_at timestamptz := (p->>'at')::timestamptz;
  v_from_me boolean := (p->>'fromMe')::boolean;
  v_let_go text;
begin
  -- A contact who has written is no first contact, so messages held as first contacts may go.
  with let_go as (
    update message set ready_at = least(ready_at, v_at), held_by = null, held_until = null
    where conversation_id = p_conversation and status = 'queued' and held_by in ('first_contacts', 'restricted')
    returning session_id
  )
  select make_due(min(session_id), p_now) into v_let_go from let_go having count(*) > 0;
  update conversation c set
    -- The account's devices have read up to this time, so older messages are read too.
    unread_count = case when v_from_me or v_at < c.read_up_to then c.unread_count
      else c.unread_count + coalesce((p->>'unread')::integer, 1) end,
    last_message_id = case when c.last_message_at > v_at then c.last_message_id else p->>'id' end,
    last_message_body = case when c.last_message_at > v_at then c.last_message_body else p->>'line' end,
    last_message_from_me = case when c.last_message_at > v_at then c.last_message_from_me else v_from_me end,
    last_message_at = case when c.last_message_at > v_at then c.last_message_at else v_at end,
    last_inbound_at = case when v_from_me then c.last_inbound_at else greatest(c.last_inbound_at, v_at) end,
    contacted = true
  where c.id = p_conversation;
  return v_let_go;
end
$$;

-- The line of a message in the chat list; of one that was taken back it shows nothing.
create or replace function line_of(m message) returns text language sql stable as $$
  select case when m.revoked_at is null then left(m.body, 500) else '' end
$$;

-- Answers the id that a message has now. One that was shown while it was being matched, and that was a send of ours, is
-- that send (`message_alias`).
create or replace function message_of(p_id text) returns text language sql stable as $$
  select coalesce((select a.message_id from message_alias a where a.id = p_id), p_id)
$$;
