-- Answers the words by which a chat is found: its name, the names of its contact, and any part of the contact's phone
-- numbers from its first digit on; with the session that it is of.
create or replace function words_of_chat(c conversation) returns tsvector
language sql stable as $$
  select array_to_tsvector(array[session_word(c.session_id)]) || coalesce(array_to_tsvector(array(
    select distinct w.word from (
      select unnest(folded_words(concat_ws(' ', c.name, k.name, k.push_name, l.name))) as word
      from (select 1) one left join contact k on k.id = c.contact_id
        left join session_contact l on l.session_id = c.session_id and l.contact_id = c.contact_id
      union all
      select substr(p.digits, n) from (
        select split_part(a.chat_id, '@', 1) as digits from contact_alias a
        where a.contact_id = c.contact_id and is_phone(a.chat_id)) p
        cross join lateral generate_series(1, greatest(length(p.digits) - 2, 1)) n
    ) w where w.word <> '')), '')
$$;

-- Reads what somebody types to find a chat. The words of a chat have no places, so those that are written together, as
-- in "Anne-Marie" or "010-0021", are looked for one by one. The last of them may go on, and every number may: a phone
-- number is known by its ends. Null where nothing that was typed has a word.
create or replace function search_words_of_chat(p_terms jsonb) returns tsquery
language sql immutable parallel safe as $$
  select string_agg('''' || w.word || ''''
      || case when w.place = cardinality(f.words) or w.word ~ '^[0-9]+$' then ':*' else '' end, ' & ')::tsquery
  from jsonb_array_elements(p_terms) t
    cross join lateral (select folded_words(t->>'text')) f(words)
    cross join lateral unnest(f.words) with ordinality w(word, place)
$$;

-- Brings what is searched of chats to what is known of them. A chat that was merged into another is found as that one.
create or replace function index_chats(p_ids text[]) returns void
language plpgsql set enable_seqscan = off as $$
begin
  insert into chat_text as t (conversation_id, words)
  select c.id, words_of_chat(c) from conversation c where c.id = any (p_ids) and c.merged_into is null order by c.id
  on conflict (conversation_id) do update set words = excluded.words where t.words <> excluded.words;
end
$$;

-- Notes a chat that is found by other words than before; it is indexed soon (`due.sql`), as a new one is
-- (`db/migrations/0172-follow-conversations.sql`). The words of a chat that is gone are deleted at once. One that has
-- none yet is noted, because they may be about to be written.
create or replace function index_changed_chat() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.merged_into is not null then
    delete from chat_text where conversation_id = old.id;
    if found then return null; end if;
  end if;
  insert into search_due (agency_id, tenant_id, conversation_id) values (old.agency_id, old.tenant_id, old.id);
  return null;
end
$$;

create or replace function index_chats_of_people() returns trigger language plpgsql as $$
begin
  insert into search_due (agency_id, tenant_id, conversation_id)
  select c.agency_id, c.tenant_id, c.id from given g join conversation c on c.contact_id = g.contact_id;
  return null;
end
$$;

create or replace function index_chats_of_person() returns trigger language plpgsql as $$
begin
  insert into search_due (agency_id, tenant_id, conversation_id)
  select c.agency_id, c.tenant_id, c.id from conversation c where c.contact_id = to_jsonb(new)->>tg_argv[0];
  return null;
end
$$;

-- Indexes conversations of before the index, in the order of their ids. Answers how many it has looked at.
create or replace function index_old_chats(p_limit integer)
returns integer language plpgsql set enable_seqscan = off as $$
declare
  v_after text;
  v_ids text[];
begin
  select after_id into v_after from chat_text_fill where not is_done for update skip locked;
  if not found then return 0; end if;
  v_ids := array(select id from conversation where id > v_after order by id limit p_limit);
  perform index_chats(v_ids);
  update chat_text_fill set after_id = coalesce(v_ids[cardinality(v_ids)], after_id),
    is_done = cardinality(v_ids) < p_limit;
  return cardinality(v_ids);
end
$$;
